/** What a program imports from `damka`: the functions, and all types. */

export * from './index.js';
export * from './types.js';
export type { WasmSource } from './engine.js';
export type { ErrorFields, ErrorKind } from './errors.js';
