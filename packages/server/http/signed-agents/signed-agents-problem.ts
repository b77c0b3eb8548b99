/** What is wrong with the file of STILE_SIGNED_AGENTS, and what to do, in a sentence. */
export class SignedAgentsProblem extends Error {
  override readonly name = "SignedAgentsProblem";
}
