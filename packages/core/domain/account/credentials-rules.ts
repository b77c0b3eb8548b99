import type { FieldProblem } from "@stile/protocol/dashboard-api";
import { isVisible } from "../unseen.ts";
import { isCommonPassword } from "./common-passwords.ts";

/**
 * Characters of a password. Composition rules make passwords worse (NIST SP 800-63B), length makes
 * them better.
 */
export const PASSWORD_CHARACTERS = { min: 10, max: 256 } as const;

const MAX_NAME = 64;
const MAX_EMAIL = 254;
/** Catches what cannot be an address; only a message could prove that an address works. */
const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,253}$/u;
/**
 * A new address may hold ASCII only: it identifies a member in the members list and the audit log,
 * and other alphabets have letters that look exactly like these. Browsers are as strict: their
 * email fields refuse other letters before the
 * @, and convert a domain with such letters to its xn-- form.
 */
const ASCII = /^[!-~]*$/;

/** An email as it is stored and compared: trimmed, NFC, lower case. */
export function normalizeEmail(email: string): string {
  return email.normalize("NFC").trim().toLowerCase();
}

/** A member's name as it is stored: NFC, trimmed. */
export function normalizeName(name: string): string {
  return name.normalize("NFC").trim();
}

/** A password as it is hashed: NFC, so that it does not matter on which keyboard it was typed. */
export function normalizePassword(password: string): string {
  return password.normalize("NFC");
}

function emailProblem(email: string): string | undefined {
  if (email.length > MAX_EMAIL || !EMAIL.test(email))
    return "Use an email address such as ada@example.org.";
  return ASCII.test(email)
    ? undefined
    : "Use only the letters a to z, digits and punctuation. Write a domain with other letters in its xn-- form.";
}

/** The problems of a normalized name. */
export function findNameProblems(name: string): FieldProblem[] {
  const isName =
    isVisible(name) && [...name].length <= MAX_NAME && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
  return isName ? [] : [{ field: "name", message: `Use 1 to ${MAX_NAME} visible characters.` }];
}

/** The problems of a normalized email and name. */
export function findProfileProblems({
  email,
  name,
}: {
  email: string;
  name: string;
}): FieldProblem[] {
  const message = emailProblem(email);
  return [
    ...(message === undefined ? [] : [{ field: "email", message }]),
    ...findNameProblems(name),
  ];
}

/** SHA-256 of a text. */
type Digest = (text: string) => Uint8Array;

function passwordProblem(
  password: string,
  { email, name }: { email: string; name: string },
  digest: Digest,
): string | undefined {
  const { min, max } = PASSWORD_CHARACTERS;
  const length = [...password].length;
  const text = password.toLowerCase();
  if (length < min) return `Use at least ${min} characters. A few words are easy to remember.`;
  if (length > max) return `Use at most ${max} characters.`;
  if (text === email || text === name.toLowerCase()) return "Don't use your email or name.";
  if (isCommonPassword(password, digest)) {
    return "This is one of the most common passwords, so attackers try it first. Choose another, such as a few unusual words.";
  }
  return undefined;
}

/** The problems of a normalized password for the member with this normalized email and name. */
export function findPasswordProblems(
  password: string,
  member: { email: string; name: string },
  digest: Digest,
): FieldProblem[] {
  const message = passwordProblem(password, member, digest);
  return message === undefined ? [] : [{ field: "password", message }];
}
