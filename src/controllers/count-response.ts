/** The number of entries that a write changed. */
export interface CountResponse {
  data: {
    /**
     * The number of entries that REDCap accepted, changed or deleted.
     * @isInt
     * @example 1
     */
    count: number;
  };
}
