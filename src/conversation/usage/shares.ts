/**
 * Divides a whole number, such as tokens, by weights into whole numbers that add up to it. The Reasoning view and the map of a
 * turn use it, so that they show the same figure for a step.
 *
 * @returns zeros if the sum of the weights is 0
 */
export function wholeShares(sum: number, weights: readonly number[]): readonly number[] {
  const all = weights.reduce((total, one) => total + one, 0);
  if (all === 0) return weights.map(() => 0);
  let before = 0;
  return weights.map((weight) => {
    const from = Math.round((sum * before) / all);
    before += weight;
    return Math.round((sum * before) / all) - from;
  });
}
