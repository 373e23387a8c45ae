/** The terms that a scenario sells: a fee, a price of usage, or both. Prices are US dollars. */
export interface Sale {
	readonly price?: number;
	readonly seatPrice?: number;
	/** Fields of the price period of usage, or `tiers` with their mode. */
	readonly usage?: Readonly<Record<string, unknown>> & { readonly tiersMode?: "GRADUATED" | "VOLUME" };
	/** Fields of the pricing model of usage, for example blocks. */
	readonly usageModel?: object;
	/** A billing interval such as "MONTH" or "30 DAY"; a month if left out. */
	readonly every?: string;
	readonly inArrears?: boolean;
	/** A day of the month, or an anchor of the API. */
	readonly anchor?: number | object;
	readonly zone?: string;
	/** BY_TIME if left out. */
	readonly mode?: "BY_DAY" | "THIRTY_DAY_MONTH" | "NONE";
	/** Fields of the plan, such as a trial. */
	readonly plan?: object;
	/** Further fields of the charges, such as a minimum spend. */
	readonly charges?: object;
	/** A discount in percent, or an amount. */
	readonly coupon?: { readonly percent: number } | { readonly amount: number };
	/** Further fields of the subscription, such as a tax. */
	readonly terms?: object;
}

/** A step of a scenario and its instant. A date is its midnight in UTC, a date with a time is UTC too. */
export type Step =
	| readonly [at: string, verb: "start", sale: Sale, seats?: number]
	| readonly [at: string, verb: "replace", sale: Sale, seats?: number]
	| readonly [at: string, verb: "change", body: object]
	| readonly [at: string, verb: "seats", quantity: number]
	/** Usage events of these quantities, one each. */
	| readonly [at: string, verb: "use", quantities: readonly number[]]
	| readonly [at: string, verb: "end"]
	/** Announces an end at a later date. */
	| readonly [at: string, verb: "end on", date: string]
	| readonly [at: string, verb: "pause" | "resume", body?: object];

/** The form of a figure: net amounts of the days with documents, or the period that runs, or a boundary of it. */
export type FigureForm = "bills" | "total" | "last" | "period" | "opening" | "boundary";

export interface Scenario {
	readonly id: string;
	/** The file of the other system's test, below the folder of its page in `systems`. */
	readonly source: string;
	readonly title: string;
	readonly steps: readonly Step[];
	/** The instant of the figure. */
	readonly until: string;
	readonly form: FigureForm;
	/** The figure of the other system. */
	readonly theirs: string;
	/** Our figure, where it differs, and the rule that causes the difference. */
	readonly ours?: readonly [figure: string, rule: string];
}

export interface System {
	readonly name: string;
	readonly repository: string;
	/** The commit of the tests that the scenarios describe. */
	readonly commit: string;
	readonly license: string;
	readonly scenarios: readonly Scenario[];
}

type Row = Omit<Scenario, "source">;

const rowOf =
	(form: FigureForm) =>
	(
		id: string,
		title: string,
		steps: readonly Step[],
		until: string,
		theirs: string,
		ours?: readonly [figure: string, rule: string],
	): Row => ({ id, title, steps, until, form, theirs, ...(ours && { ours }) });

/** The net amount of each day with documents. */
export const bills = rowOf("bills");
/** The sum of all documents. */
export const total = rowOf("total");
/** The net amount of the last day with documents. */
export const last = rowOf("last");
/** The period that runs at the last instant. */
export const period = rowOf("period");
/** The start of that period. */
export const opening = rowOf("opening");
/** The end of that period. */
export const boundary = rowOf("boundary");

/** Builds the scenarios of one source file. */
export const from = (source: string, ...rows: readonly Row[]): Scenario[] => rows.map((row) => ({ ...row, source }));
