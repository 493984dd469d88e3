/* A test of a node. Most ask whether x[column] > cut, and are not worth a function. */
typedef struct {
  int (*branch)(const double *x); /* 0: x[column] > cut */
  double cut;
  int column, missing;         /* of such a test; where a missing value goes */
  int first_child, n_children; /* none: a leaf */
  double share;                /* of its parent's rows */
} Node;

enum { SHARE = -1, STAY = -2 }; /* to all branches in parts; no branch fits */

typedef struct {
  int column, code;
  const char *text;
} Code;

/* Four sums at a time. */
#ifdef __GNUC__
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
#define ADD_PRODUCT(sums, factors, value) sums += *(const Four *)(factors) * (value)
#define PART(sums, k) sums[k]
#else
typedef struct {
  double part[4];
} Four;
#define ADD_PRODUCT(sums, factors, value) \
  for (int k = 0; k < 4; ++k) sums.part[k] += (factors)[k] * (value)
#define PART(sums, k) sums.part[k]
#endif

/* TABLES */

static int branch_of(const Node *node, const double *x) {
  double value;
  if (node->branch) return node->branch(x);
  value = x[node->column];
  return value != value ? node->missing : value > node->cut;
}

/* The node where a row ends; -1 where it is shared out. */
static int end_of(int node, const double *x) {
  while (nodes[node].n_children) {
    int branch = branch_of(&nodes[node], x);
    if (branch < 0) return branch == STAY ? node : -1;
    node = nodes[node].first_child + branch;
  }
  return node;
}

/* Adds the values of the nodes where parts of a row end, times their shares. */
static void add_ends(int node, double share, const double *x, const double (*values)[N_CLASSES],
                     double *sums) {
  int branch, child, k;
  while (nodes[node].n_children && (branch = branch_of(&nodes[node], x)) != STAY) {
    if (branch != SHARE) {
      node = nodes[node].first_child + branch;
      continue;
    }
    for (child = nodes[node].first_child;
         child < nodes[node].first_child + nodes[node].n_children; ++child) {
      if (nodes[child].share > 0) add_ends(child, share * nodes[child].share, x, values, sums);
    }
    return;
  }
  for (k = 0; k < N_CLASSES; ++k) sums[k] += share * values[node][k];
}

/* The first that is largest, but for rounding. */
static int first_of_largest(const double *values) {
  double highest = values[0], size;
  int k;
  for (k = 1; k < N_CLASSES; ++k) {
    if (values[k] > highest) highest = values[k];
  }
  size = highest < 0 ? -highest : highest;
  for (k = 0; values[k] < highest - 1e-12 * (size > 1 ? size : 1); ++k) continue;
  return k;
}

#if defined(IS_ONE_TREE) || defined(COUNTS_VOTES)
/* The answer of a tree to a row that ends at a node, or is shared out. */
static int label_of(int root, int end, const double *x) {
  double sums[N_CLASSES] = {0};
  if (end >= 0) return labels[end];
  add_ends(root, 1.0, x, merit, sums);
  return first_of_largest(sums);
}
#endif

static void add_answer(int root, int end, const double *x, double *sums) {
#ifdef COUNTS_VOTES
  sums[label_of(root, end, x)] += 1;
#else
  int k;
  if (end < 0) {
    add_ends(root, 1.0, x, probabilities, sums);
  } else {
    for (k = 0; k < N_CLASSES; ++k) sums[k] += probabilities[end][k];
  }
#endif
}

#ifdef HAS_STEPS
/* Rows take their steps in turn: while one waits for memory the others go on. A row that has
   arrived makes room for the next; lanes without a row go round the first one. */
enum { LANES = 8, STEPS = 8 };

static void ends_of(int root, const double *x, size_t n, int *ends) {
  const double *own[LANES];
  size_t row[LANES], next = 0;
  int at[LANES], missing[LANES], lane, step, n_walking = 0;
  for (lane = 0; lane < LANES; ++lane) {
    row[lane] = next < n ? next : n;
    own[lane] = x + (next < n ? next : 0) * N_COLUMNS;
    at[lane] = root, missing[lane] = 0;
    n_walking += next < n;
    ++next;
  }
  while (n_walking) {
    for (step = 0; step < STEPS; ++step) {
      for (lane = 0; lane < LANES; ++lane) {
        const double value = own[lane][steps[at[lane]].column];
        missing[lane] |= value != value;
        at[lane] = steps[at[lane]].first_child + (value > steps[at[lane]].cut);
      }
    }
    for (lane = 0; lane < LANES; ++lane) {
      if (row[lane] == n || steps[at[lane]].first_child != at[lane]) continue;
      ends[row[lane]] = missing[lane] ? end_of(root, own[lane]) : at[lane];
      row[lane] = next < n ? next : n;
      own[lane] = x + (next < n ? next : 0) * N_COLUMNS;
      at[lane] = root, missing[lane] = 0;
      n_walking -= next >= n;
      ++next;
    }
  }
}
#else
static void ends_of(int root, const double *x, size_t n, int *ends) {
  size_t row;
  for (row = 0; row < n; ++row) ends[row] = end_of(root, x + row * N_COLUMNS);
}
#endif

#ifndef IS_ONE_TREE
static int decide(const double *chances) {
#ifdef HAS_COSTS
  double merits[N_CLASSES];
  int j, k;
  for (j = 0; j < N_CLASSES; ++j) {
    merits[j] = 0;
    for (k = 0; k < N_CLASSES; ++k) merits[j] -= costs[j][k] * chances[k];
  }
  return first_of_largest(merits);
#else
  return first_of_largest(chances);
#endif
}
#endif

/* So many rows walk down a tree before the next tree. */
enum { TOGETHER = N_CLASSES > 64 ? 16 : 1024 / N_CLASSES };

static void proba_of_some(const double *x, size_t n, double *chances) {
  int ends[TOGETHER], tree;
  size_t row, k;
  for (k = 0; k < n * N_CLASSES; ++k) chances[k] = 0;
  for (tree = 0; tree < N_TREES; ++tree) {
    ends_of(roots[tree], x, n, ends);
    for (row = 0; row < n; ++row) {
      add_answer(roots[tree], ends[row], x + row * N_COLUMNS, chances + row * N_CLASSES);
    }
  }
  if (N_TREES > 1) {
    for (k = 0; k < n * N_CLASSES; ++k) chances[k] /= N_TREES;
  }
}

void model_predict_proba_rows(const double *rows, size_t n_rows, double *chances) {
  size_t row, n;
  for (row = 0; row < n_rows; row += n) {
    n = n_rows - row < TOGETHER ? n_rows - row : TOGETHER;
    proba_of_some(rows + row * N_COLUMNS, n, chances + row * N_CLASSES);
  }
}

#ifdef IS_ONE_TREE
void model_predict_rows(const double *rows, size_t n_rows, int *classes) {
  size_t row;
  ends_of(0, rows, n_rows, classes);
  for (row = 0; row < n_rows; ++row) {
    classes[row] = label_of(0, classes[row], rows + row * N_COLUMNS);
  }
}
#else
void model_predict_rows(const double *rows, size_t n_rows, int *classes) {
  double chances[TOGETHER * N_CLASSES];
  size_t row, k, n;
  for (row = 0; row < n_rows; row += n) {
    n = n_rows - row < TOGETHER ? n_rows - row : TOGETHER;
    proba_of_some(rows + row * N_COLUMNS, n, chances);
    for (k = 0; k < n; ++k) classes[row + k] = decide(chances + k * N_CLASSES);
  }
}
#endif

void model_predict_proba(const double *row, double *chances) { proba_of_some(row, 1, chances); }

int model_predict(const double *row) {
  int found;
  model_predict_rows(row, 1, &found);
  return found;
}

double model_code(int column, const char *text) {
  int low = 0, high = N_CODES;
  while (low < high) {
    int middle = low + (high - low) / 2, order = codes[middle].column - column;
    if (order == 0) order = strcmp(codes[middle].text, text);
    if (order == 0) return codes[middle].code;
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return NAN;
}
