/** What a command may touch of its process. Tests give their own. */
export interface Io {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly home: string;
  /** Whether stderr is a terminal: progress may then rewrite its line. */
  readonly isTerminal: boolean;
  readonly signal: AbortSignal;
}

/** 0 done, 1 checked and found wrong, 2 bad input or usage, 3 could not check or do it. */
export type Exit = 0 | 1 | 2 | 3;
