declare const brand: unique symbol;

/** A value that has been checked by the parser of the same name. Only that parser, or its type guard, returns one. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };
