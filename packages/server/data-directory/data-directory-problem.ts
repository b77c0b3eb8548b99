/** A problem with the data directory: its message is a sentence that says what to do. */
export class DataDirectoryProblem extends Error {
  override readonly name = "DataDirectoryProblem";
}
