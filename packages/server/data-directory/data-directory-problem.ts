/** What is wrong with the data directory, and what to do, in a sentence. */
export class DataDirectoryProblem extends Error {
  override readonly name = "DataDirectoryProblem";
}
