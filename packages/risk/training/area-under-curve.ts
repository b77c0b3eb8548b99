/** A model's score for an example it had not seen. */
export type Scored = { readonly score: number; readonly isBot: boolean };

/** Area under the ROC curve: how often a program scores above a person; ties count half. */
export function areaUnderCurve(scored: readonly Scored[]): number {
  const sorted = [...scored].sort((a, b) => a.score - b.score);
  let [people, pairs, bots] = [0, 0, 0];
  for (let i = 0; i < sorted.length; ) {
    let end = i;
    let [tiedPeople, tiedBots] = [0, 0];
    while (end < sorted.length && sorted[end]?.score === sorted[i]?.score) {
      if (sorted[end]?.isBot) tiedBots++;
      else tiedPeople++;
      end++;
    }
    pairs += tiedBots * (people + tiedPeople / 2);
    people += tiedPeople;
    bots += tiedBots;
    i = end;
  }
  return people * bots === 0 ? Number.NaN : pairs / (people * bots);
}
