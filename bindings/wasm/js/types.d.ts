/** The types of results: the objects of docs/JSON.md and docs/SERVER.md. */

import type { WasmSource } from './engine.js';

export type Value = 'win' | 'draw' | 'loss';
export type Metric = 'dtw' | 'wdl';
export type DtwStatus = 'known' | 'draw' | 'unknown' | 'not_asked';
export type Color = 'white' | 'black';

/** A compiled program: `WebAssembly.Module`, if the types of the platform have it. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module
  : object;

export interface OpenOptions {
  /** One of the game's names: `russian`, `shashki`, `chess`, ... */
  game: string;
  /** A directory of chunks on a server, or a table: `https://example.org/tables/` or `.../KRvK.dtw`. */
  url?: string | URL;
  /** Tables as files of the user, or by name: `{ 'KRvK.dtw': blob }`. Other files are ignored. */
  files?: Record<string, Blob | Uint8Array> | Iterable<File>;
  /** Tables in memory, by name. */
  bytes?: Record<string, Uint8Array>;
  /** Options of all requests, such as headers and credentials. */
  request?: Omit<RequestInit, 'signal'>;
  /** Used in place of the global function. It cannot be sent to a worker; see `serve`. */
  fetch?: typeof fetch;
  /** The place of `damka.wasm`, if it is not beside the modules. Only the first call uses it. */
  wasm?: WasmSource;
  /** Aborts the opening. */
  signal?: AbortSignal;
}

export interface Ask {
  /** The metric: distances (`dtw`), or only results (`wdl`). */
  metric?: Metric;
  /** Aborts the call. */
  signal?: AbortSignal;
}

export interface ListOptions extends Ask {
  value?: Value;
  /** The distance to the win or loss in plies. */
  distance?: number;
  /** Only positions in which exactly one move keeps the result. */
  unique?: boolean;
  /** Only mutual zugzwangs. */
  zugzwang?: boolean;
  /** The side to move. */
  turn?: Color;
  /** The cursor to continue at: `next` of the previous page. */
  cursor?: string | null;
  /** The maximum number of positions; the default is 20. */
  limit?: number;
}

export interface Valued {
  fen: string;
  value: Value | 'unknown';
  /** Plies to the win or loss. */
  dtw: number | null;
  dtw_status: DtwStatus;
}

export interface PositionValue extends Valued {
  schema: number;
  game: string;
}

export interface Move extends Valued {
  move: string;
  coordinates: string;
}

export interface Ply {
  move: string;
  coordinates: string;
  fen: string;
}

export interface Answer extends PositionValue {
  /** The moves, best first. Moves of unknown value come last, or first if the best move must be one of them. */
  moves: Move[];
  /** Best play to the end. */
  line?: Ply[];
  missing?: { signature: string; metric: Metric }[];
}

export interface SquareValue extends Valued {
  square: string;
}

export interface SquareMap {
  schema: number;
  game: string;
  fen: string;
  square: string;
  white: SquareValue[];
  black: SquareValue[];
}

export interface ListedPosition extends Valued {
  game: string;
  cursor: string;
  only_move?: string;
  only_move_coordinates?: string;
  passed?: { value: Value; dtw: number | null; dtw_status: DtwStatus };
}

export interface ListPage {
  schema: number;
  game: string;
  signature: string;
  positions: ListedPosition[];
  /** The cursor of the next page; null at the end. */
  next: string | null;
}

export interface SideStats {
  game: string;
  signature: string;
  to_move: Color;
  positions: number;
  wins: number;
  draws: number;
  losses: number;
  dtw_status: DtwStatus;
  longest_win: number | null;
  longest_win_fen: string | null;
  longest_loss: number | null;
  longest_loss_fen: string | null;
  wdl_bytes: number | null;
  dtw_bytes: number | null;
  wdl_digest: string | null;
  dtw_digest: string | null;
}

export interface Stats {
  schema: number;
  game: string;
  stats: [SideStats, SideStats];
}

export interface SideHistogram {
  game: string;
  signature: string;
  to_move: Color;
  histogram: { value: Value; dtw: number | null; dtw_status: DtwStatus; positions: number }[];
}

export interface Histograms {
  schema: number;
  game: string;
  signature: string;
  histograms: [SideHistogram, SideHistogram];
}

export interface GameInfo {
  game: string;
  names: string[];
  summary: string;
  /** The names of the squares from White's side, row by row; null for unused squares. */
  board: (string | null)[][];
  pieces: { letter: string; white: string; black: string; is_man: boolean; is_royal: boolean }[];
  start: string;
}

/** `tables.json` of a game. */
export interface Manifest {
  format: number;
  game: string;
  /** All chunks: the chunk that lists them, their number, and their bytes. */
  chunks: { list: string; count: number; bytes: number };
  tables: Record<string, { bytes: number; chunk: string; at?: number }>;
}

/** The functions of tables. */
export interface Questions {
  answer(fen: string, options?: Ask): Promise<Answer>;
  value(fen: string, options?: Ask): Promise<PositionValue>;
  line(fen: string, options?: { signal?: AbortSignal }): Promise<Answer & { line: Ply[] }>;
  map(fen: string, square: string, options?: Ask): Promise<SquareMap>;
  legalMoves(fen: string): Promise<Answer>;
  list(signature: string, options?: ListOptions): Promise<ListPage>;
  random(signature: string, options?: ListOptions & { seed?: number }): Promise<ListedPosition>;
  stats(signature: string, options?: { signal?: AbortSignal }): Promise<Stats>;
  histogram(signature: string, options?: { signal?: AbortSignal }): Promise<Histograms>;
  signatures(): Promise<string[]>;
  signatureOf(fen: string): Promise<string>;
}

/** Tables in a worker. */
export interface RemoteTables extends Questions {
  readonly game: string;
  readonly manifest: Manifest | null;
  /** The number of fetched parts of files, and their bytes. */
  fetched(): Promise<{ parts: number; bytes: number }>;
  /** Frees the tables, and ends a worker that serves only them. */
  close(): Promise<void>;
}

/** A worker of a browser or of Node.js. */
export interface WorkerLike {
  postMessage(message: any): void;
  terminate(): unknown;
  addEventListener?(type: string, listener: (event: any) => void): void;
  on?(type: string, listener: (event: any) => void): unknown;
}
