/** The 12-byte id of the test token with that number. */
export function tokenIdOf(number: number): Uint8Array {
  const id = new Uint8Array(12);
  new DataView(id.buffer).setUint32(0, number);
  return id;
}
