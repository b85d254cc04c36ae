/**
 * Returns the smallest value that this share of the values does not exceed.
 * @param share from 0 to 1: 0.5 for the median
 */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN
