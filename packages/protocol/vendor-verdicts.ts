/**
 * What the customer's old CAPTCHA said about a visitor whose Stile token is redeemed next to it
 * (D2, comparing).
 */
export const VENDOR_VERDICTS = ["pass", "fail"] as const;
/** One of pass, fail. */
export type VendorVerdict = (typeof VENDOR_VERDICTS)[number];
