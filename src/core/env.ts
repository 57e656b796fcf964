/** Environment variables by name, handed down from `src/entry`; nothing below reads `process.env`. */
export type Env = Readonly<Record<string, string | undefined>>
