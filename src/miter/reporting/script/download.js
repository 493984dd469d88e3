/** The model itself, out of the page. */

import { byId } from "./dom.js";

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).blob();
}

export function offerModel({ model }) {
  const button = byId("download");
  if (!button || !model) return;
  button.addEventListener("click", async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await unpack(model.gzip));
    link.download = model.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });
}
