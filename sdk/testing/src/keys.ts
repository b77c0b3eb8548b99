/** A site key and a secret key for tests, which everybody knows. */
export type TestKeys = { readonly siteKey: string; readonly secretKey: string };

/** The pairs of test keys by what they always do. */
export const TEST_KEYS = {
  pass: {
    siteKey: "pk_TESTpass00000000000000",
    secretKey: "sk_TESTpass000000000000000000000000000000000000dnemK",
  },
  fail: {
    siteKey: "pk_TESTfail00000000000000",
    secretKey: "sk_TESTfail000000000000000000000000000000000003cPeYc",
  },
  press: {
    siteKey: "pk_TESTpress0000000000000",
    secretKey: "sk_TESTpress00000000000000000000000000000000001oGveh",
  },
  expired: {
    siteKey: "pk_TESTexpired00000000000",
    secretKey: "sk_TESTexpired000000000000000000000000000000002HjHVX",
  },
  used: {
    siteKey: "pk_TESTused00000000000000",
    secretKey: "sk_TESTused000000000000000000000000000000000002fpEBs",
  },
  timeout: {
    siteKey: "pk_TESTtimeout00000000000",
    secretKey: "sk_TESTtimeout000000000000000000000000000000000aA4dU",
  },
} as const satisfies Record<string, TestKeys>;
