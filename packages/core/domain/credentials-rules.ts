import type { FieldProblem } from "@stile/protocol/dashboard-api";

/** Characters of a password. Composition rules make passwords worse (NIST SP 800-63B), length makes them better. */
export const PASSWORD_CHARACTERS = { min: 10, max: 256 } as const;

const MAX_NAME = 64;
const MAX_EMAIL = 254;
/** Enough to catch what is no address; only a message could prove that one works. */
const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,253}$/u;

/** Of the passwords people choose most, those long enough to be allowed otherwise, in lower case. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set([
  ...["1234567890", "12345678910", "123456789a", "123456789q", "1234567891", "0123456789", "0987654321", "1234567890a"],
  ...["1111111111", "0000000000", "1212121212", "1122334455", "9876543210", "9999999999", "aaaaaaaaaa", "abcdefghij"],
  ...["abcd123456", "abc1234567", "asdfghjkl1", "asdfghjkl;", "qwertyuiop", "qwertyuiop1", "qwertyuiop123"],
  ...["qwerty1234", "qwerty12345", "qwerty123456", "1qaz2wsx3edc", "1q2w3e4r5t", "1q2w3e4r5t6y", "q1w2e3r4t5"],
  ...["q1w2e3r4t5y6", "zaq12wsxcde3", "password12", "password123", "password1234", "password12345", "passw0rd123"],
  ...[
    "p@ssw0rd123",
    "p@ssword123",
    "mypassword",
    "administrator",
    "admin12345",
    "admin123456",
    "welcome123",
    "welcome1234",
  ],
  ...["letmein123", "iloveyou12", "iloveyou123", "sunshine123", "football123", "changeme123", "superman123"],
  ...["dragon12345", "monkey12345", "testtest12", "test123456", "michelle123"],
]);

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

/** What is wrong with a normalized email and name. */
export function findProfileProblems({ email, name }: { email: string; name: string }): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (email.length > MAX_EMAIL || !EMAIL.test(email)) {
    problems.push({ field: "email", message: "Use an email address such as ada@example.org." });
  }
  const length = [...name].length;
  if (length < 1 || length > MAX_NAME || /\p{C}/u.test(name)) {
    problems.push({ field: "name", message: `Use 1 to ${MAX_NAME} characters.` });
  }
  return problems;
}

function passwordProblem(password: string, { email, name }: { email: string; name: string }): string | undefined {
  const { min, max } = PASSWORD_CHARACTERS;
  const length = [...password].length;
  const text = password.toLowerCase();
  if (length < min) return `Use at least ${min} characters; a few words are easy to remember.`;
  if (length > max) return `Use at most ${max} characters.`;
  if (text === email || text === name.toLowerCase()) return "Don't use your email or name.";
  if (COMMON_PASSWORDS.has(text)) return "Very many people use this one, so it is tried first. Choose another.";
  return undefined;
}

/** What is wrong with a normalized password for the member of that normalized email and name. */
export function findPasswordProblems(password: string, member: { email: string; name: string }): FieldProblem[] {
  const message = passwordProblem(password, member);
  return message === undefined ? [] : [{ field: "password", message }];
}
