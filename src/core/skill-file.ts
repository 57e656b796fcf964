export type Fields = Readonly<Record<string, unknown>>

/** The YAML block at the top of a SKILL.md, as it was read. */
export type Frontmatter =
  | { readonly kind: 'read'; readonly fields: Fields }
  | { readonly kind: 'none' }
  /** `why` is one line that a person can act on. */
  | { readonly kind: 'broken'; readonly why: string }

/** A SKILL.md and its frontmatter. */
export interface SkillFile {
  /** Name of its directory, which is also the name that is typed. */
  readonly name: string
  /** Absolute path of SKILL.md. */
  readonly file: string
  readonly frontmatter: Frontmatter
}
