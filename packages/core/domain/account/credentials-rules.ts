import type { FieldProblem } from "@stile/protocol/dashboard-api";
import { isCommonPassword } from "./common-passwords.ts";

/** Characters of a password. Composition rules make passwords worse (NIST SP 800-63B), length makes them better. */
export const PASSWORD_CHARACTERS = { min: 10, max: 256 } as const;

const MAX_NAME = 64;
const MAX_EMAIL = 254;
/** Enough to catch what is no address; only a message could prove that one works. */
const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,253}$/u;
/**
 * A new address has ASCII alone: to the members list and the audit log it is who somebody is, and in other alphabets there are letters
 * that nobody can tell from these. Browsers ask no more of people: their fields for addresses refuse other letters before the @, and
 * write domains with others in their xn-- form by themselves.
 */
const ASCII = /^[!-~]*$/;

/** An email as it is compared and kept: trimmed, NFC, lower case. */
export function normalizeEmail(email: string): string {
  return email.normalize("NFC").trim().toLowerCase();
}

/** A member's name as it is kept: NFC, trimmed. */
export function normalizeName(name: string): string {
  return name.normalize("NFC").trim();
}

/** A password as it is hashed: NFC, so that the keyboard it was typed on does not matter. */
export function normalizePassword(password: string): string {
  return password.normalize("NFC");
}

function emailProblem(email: string): string | undefined {
  if (email.length > MAX_EMAIL || !EMAIL.test(email)) return "Use an email address such as ada@example.org.";
  return ASCII.test(email)
    ? undefined
    : "Use only the letters a to z, digits and punctuation. Write a domain with other letters in its xn-- form.";
}

/** What is wrong with a normalized name. */
export function findNameProblems(name: string): FieldProblem[] {
  const length = [...name].length;
  const isName = length >= 1 && length <= MAX_NAME && !/\p{C}/u.test(name);
  return isName ? [] : [{ field: "name", message: `Use 1 to ${MAX_NAME} characters.` }];
}

/** What is wrong with a normalized email and name. */
export function findProfileProblems({ email, name }: { email: string; name: string }): FieldProblem[] {
  const message = emailProblem(email);
  return [...(message === undefined ? [] : [{ field: "email", message }]), ...findNameProblems(name)];
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
  if (length < min) return `Use at least ${min} characters; a few words are easy to remember.`;
  if (length > max) return `Use at most ${max} characters.`;
  if (text === email || text === name.toLowerCase()) return "Don't use your email or name.";
  if (isCommonPassword(password, digest)) {
    return "This is one of the passwords people use most, so it is tried first. Choose another, such as a few unusual words.";
  }
  return undefined;
}

/** What is wrong with a normalized password for the member of that normalized email and name. */
export function findPasswordProblems(
  password: string,
  member: { email: string; name: string },
  digest: Digest,
): FieldProblem[] {
  const message = passwordProblem(password, member, digest);
  return message === undefined ? [] : [{ field: "password", message }];
}
