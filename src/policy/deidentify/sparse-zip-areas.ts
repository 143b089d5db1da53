/**
 * The areas of the United States, by the first three digits of their ZIP codes (ZCTA), in which 20,000 people or fewer
 * lived in the census of 2000 or in that of 2010. 45 CFR 164.514(b)(2)(i)(B) requires `000` in their place.
 *
 * As of November 2026: the seventeen areas of 2000 that the guidance of the Department of Health and Human Services lists
 * (26 November 2012), and 205 and 369, which only the census of 2010 adds. The law means the census that is current:
 * compare the list when a new one is published.
 */
export const SPARSE_ZIP_AREAS: ReadonlySet<string> = new Set([
  ...['036', '059', '063', '102', '203', '205', '369', '556', '692', '790'],
  ...['821', '823', '830', '831', '878', '879', '884', '890', '893'],
]);
