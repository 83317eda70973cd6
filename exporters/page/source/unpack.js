// The data as it stands in this file: base64, and packed but for the pictures.

export function stored(name) {
  return document.getElementById(name).textContent;
}

export async function unpacked(name) {
  const packed = Uint8Array.from(atob(stored(name)), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function unpackedJson(name) {
  return JSON.parse(new TextDecoder().decode(await unpacked(name)));
}
