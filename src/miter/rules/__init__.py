"""From trees to rules, and to less."""
