/** What a write came to. */
export interface CountResponse {
  data: {
    /**
     * How many entries REDCap took, changed or deleted.
     * @isInt
     * @example 1
     */
    count: number;
  };
}
