/** Code to paste, with the name of its tab. */
export type Snippet = { readonly id: string; readonly label: string; readonly language: string; readonly code: string };

/** Where the forms in all snippets are sent. */
export const SNIPPET_ACTION = "/sign-up";
