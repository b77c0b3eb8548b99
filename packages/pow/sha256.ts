const firstPrimes = (count: number): number[] => {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return primes;
};

/**
 * The first 32 bits of the fractional part of a number, which is how FIPS 180-4 defines its
 * constants.
 */
const fractionBits = (x: number): number => ((x % 1) * 2 ** 32) | 0;

/** The constants of the 64 rounds, as signed 32-bit words (FIPS 180-4, 4.2.2). */
const ROUND_CONSTANTS = Int32Array.from(firstPrimes(64), (p) => fractionBits(Math.cbrt(p)));

/** The chaining value before the first block, as 8 signed 32-bit words (FIPS 180-4, 5.3.3). */
export const INITIAL_STATE = Int32Array.from(firstPrimes(8), (p) => fractionBits(Math.sqrt(p)));

const bigSigma0 = (x: number): number =>
  ((x >>> 2) | (x << 30)) ^ ((x >>> 13) | (x << 19)) ^ ((x >>> 22) | (x << 10));
const bigSigma1 = (x: number): number =>
  ((x >>> 6) | (x << 26)) ^ ((x >>> 11) | (x << 21)) ^ ((x >>> 25) | (x << 7));
const smallSigma0 = (x: number): number =>
  ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
const smallSigma1 = (x: number): number =>
  ((x >>> 17) | (x << 15)) ^ ((x >>> 19) | (x << 13)) ^ (x >>> 10);

/** The part of a round that mixes in `e`, `f`, `g`. */
const upper = (e: number, f: number, g: number): number => bigSigma1(e) + (g ^ (e & (f ^ g)));
/** The part of a round that mixes in `a`, `b`, `c`. */
const lower = (a: number, b: number, c: number): number => bigSigma0(a) + ((a & b) | (c & (a | b)));

/**
 * Fills the message schedule `words[from..63]`; the 16 words before `from` must be there (FIPS
 * 180-4, 6.2.2 step 1).
 */
export function expandSchedule(words: Int32Array, from: number): void {
  for (let t = from; t < 64; t++) {
    words[t] =
      smallSigma1(words[t - 2] as number) +
      (words[t - 7] as number) +
      smallSigma0(words[t - 15] as number) +
      (words[t - 16] as number);
  }
}

/**
 * Runs rounds `from` to `to - 1` on the eight working variables in `state`, in place, without the
 * final addition (FIPS 180-4, 6.2.2 step 3). `from` and `to` are multiples of 8: after eight rounds
 * every variable is back in its own place, so none is moved.
 */
export function runRounds(state: Int32Array, words: Int32Array, from: number, to: number): void {
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  const k = ROUND_CONSTANTS;
  for (let t = from; t < to; t += 8) {
    h = (h + upper(e, f, g) + (k[t] as number) + (words[t] as number)) | 0;
    d = (d + h) | 0;
    h = (h + lower(a, b, c)) | 0;
    g = (g + upper(d, e, f) + (k[t + 1] as number) + (words[t + 1] as number)) | 0;
    c = (c + g) | 0;
    g = (g + lower(h, a, b)) | 0;
    f = (f + upper(c, d, e) + (k[t + 2] as number) + (words[t + 2] as number)) | 0;
    b = (b + f) | 0;
    f = (f + lower(g, h, a)) | 0;
    e = (e + upper(b, c, d) + (k[t + 3] as number) + (words[t + 3] as number)) | 0;
    a = (a + e) | 0;
    e = (e + lower(f, g, h)) | 0;
    d = (d + upper(a, b, c) + (k[t + 4] as number) + (words[t + 4] as number)) | 0;
    h = (h + d) | 0;
    d = (d + lower(e, f, g)) | 0;
    c = (c + upper(h, a, b) + (k[t + 5] as number) + (words[t + 5] as number)) | 0;
    g = (g + c) | 0;
    c = (c + lower(d, e, f)) | 0;
    b = (b + upper(g, h, a) + (k[t + 6] as number) + (words[t + 6] as number)) | 0;
    f = (f + b) | 0;
    b = (b + lower(c, d, e)) | 0;
    a = (a + upper(f, g, h) + (k[t + 7] as number) + (words[t + 7] as number)) | 0;
    e = (e + a) | 0;
    a = (a + lower(b, c, d)) | 0;
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = d;
  state[4] = e;
  state[5] = f;
  state[6] = g;
  state[7] = h;
}

/**
 * SHA-256 of `bytes` (FIPS 180-4), 32 bytes, in plain JavaScript, for browsers on plain http pages,
 * where `crypto.subtle` is missing. A server passes its native hash instead, wherever a `Sha256` is
 * a parameter.
 */
export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new DataView(new ArrayBuffer((((bytes.length + 8) >>> 6) + 1) * 64));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 8, Math.floor(bytes.length / 2 ** 29));
  padded.setUint32(padded.byteLength - 4, bytes.length << 3);
  const state = INITIAL_STATE.slice();
  const working = new Int32Array(8);
  const words = new Int32Array(64);
  for (let block = 0; block < padded.byteLength; block += 64) {
    for (let t = 0; t < 16; t++) words[t] = padded.getInt32(block + 4 * t);
    expandSchedule(words, 16);
    working.set(state);
    runRounds(working, words, 0, 64);
    for (let i = 0; i < 8; i++) state[i] = (state[i] as number) + (working[i] as number);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 8; i++) digest.setInt32(4 * i, state[i] as number);
  return new Uint8Array(digest.buffer);
}
