/** What is wrong with the file of STILE_COUNTRY_DATABASE, and what to do, in a sentence. */
export class CountryDatabaseProblem extends Error {
  override readonly name = "CountryDatabaseProblem";
}
