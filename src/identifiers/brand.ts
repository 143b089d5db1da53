declare const brand: unique symbol;

/** A value that has passed the parser of its name. Only that parser, or its guard, makes one. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };
