import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import type { Interval, Period } from "../../../kernel/period";
import type { Proration, Share } from "../proration";

/** The length of the windows of a commitment: a length on the calendar, or one hour of UTC. */
export type CommitmentInterval = Interval | { readonly unit: "HOUR"; readonly count: 1 };

/** The amount that the usage of each window owes. It has an amount in the currency of the price, or a quantity. */
export interface Commitment {
	readonly amount?: Decimal;
	/** The commitment is the price of so many units. */
	readonly quantity?: Decimal;
	/** Multiplies the cost above the commitment. Missing: 1. */
	readonly overageFactor?: Decimal;
	/** Missing: the billing period is one window. */
	readonly interval?: CommitmentInterval;
	/** A window below its commitment costs its usage. Missing: it costs the commitment. */
	readonly isTrueUp?: false;
}

/** The inputs of a commitment's windows in addition to the counted part of the billing period. */
export interface CommittedTime {
	/** The billing period from whose start the windows run. */
	readonly whole: Period;
	/** Missing: windows count from the start of the period. Else from here, so that the last ends with the period. */
	readonly anchorAt?: Instant;
	/** How a part of a window shares its commitment. */
	readonly proration: Proration;
	/** The counted part has ended: its last window owes its share. */
	readonly isEnded?: true;
	/** Nothing follows: the date of the end counts as a whole day. */
	readonly isEnd?: true;
}

/** Windows with the same cost and share. */
export interface CommittedWindow {
	/** The cost of the usage, exact. */
	readonly cost: Decimal;
	/** Missing: the window is whole. */
	readonly share?: Share;
	/** The window continues, so it owes nothing yet. */
	readonly isOpen?: true;
	/** The number of these windows. */
	readonly count: number;
}

/** The windows of a commitment, as a line states them. */
export interface CommittedUsage {
	/** The used units of all windows. */
	readonly units: Decimal;
	/** The units that earlier bills have charged. */
	readonly billed?: Decimal;
	readonly windows: number;
	/** The cost of the usage of all windows before the commitment. */
	readonly used: Decimal;
	/** Missing: they differ in more ways than a line states. */
	readonly stated?: readonly CommittedWindow[];
}
