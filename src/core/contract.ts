/**
 * The vocabulary of skill contracts: what a skill promises, and what became of the promise in each of its runs. Rules
 * are in `policy/contract/`, the session's record is `store/contract-record.ts`.
 */

/** A checked contract, version 1. */
export interface Contract {
  readonly version: 1
  /** 1 to 20, ids distinct. */
  readonly items: readonly ContractItem[]
}

export type ContractItem = {
  readonly id: string
  /** The action that a block names, in place of the kind's own. */
  readonly fix?: string
  /** The phrase that the routing hint uses. */
  readonly summary?: string
} & (
  | { readonly kind: 'report_labels'; readonly heading: string; readonly labels: readonly string[] }
  | { readonly kind: 'check_after_last_edit'; readonly match?: string }
  | {
      readonly kind: 'selected_specialists_dispatched'
      readonly marker?: string
      readonly empty_marker?: string
    }
  | { readonly kind: 'agent_dispatch'; readonly match: string }
)

export type ContractItemKind = ContractItem['kind']

/** `deferred`: stopped while its agents were running, not checked yet. */
export type ContractOutcome = 'met' | 'met_waived' | 'blocked' | 'met_after_block' | 'miss' | 'deferred'

/** One run of a skill, as the session's record has it. */
export interface ContractRun {
  /** Tells loads apart: the call's id, or `line:<n>` for a typed one. */
  readonly key: string
  readonly skill: string
  readonly skill_file: string
  /** Absolute. */
  readonly transcript: string
  /** As it was when the run was last checked, so that a later check asks the same. */
  readonly contract: Contract
  readonly outcome: ContractOutcome
  /** Ids of items that were missing when the outcome was recorded. */
  readonly missing: readonly string[]
  readonly waived: readonly string[]
  /** ISO times. */
  readonly loaded_at?: string
  readonly recorded_at: string
  readonly blocked_at?: string
  /** When each agent that was running at a stop was first seen so, by its id. */
  readonly agents_seen_at?: Readonly<Record<string, string>>
}

/** Finds the first text that a skill's own pattern matches, within a time limit; -1 when none does. */
export type FirstMatch = (pattern: string, flags: '' | 'i', texts: readonly string[]) => number
