/** The billing of a contract, from docs/contracts.md: terms, due steps and invoices. */
import type { Issued, Line } from "../bill";
import { dayMs, type Span } from "../calendar";
import type { Meters } from "../counting";
import { nextLateUsageCheck } from "../subscription";
import { dayFrom, endOfRemoved, runningOf, spanOf, withTerms } from "./agreement";
import { type Cycle, dayOf, dueOf, nextCycle, paidUntil, termAfter } from "./cycles";
import { type Billed, type Item, itemOf, lateLine, lineFor, renewedItem, rowsOf, totalOf, usedIn } from "./item";
import type { Adding, ItemRequest, Renewing, Row, TermsRequest, Window } from "./requests";

export type Phase = "DRAFT" | "ACTIVE" | "AMENDING" | "CANCELED" | "END_BILLING";

/** Records the invoices of a contract. */
export interface Issuing {
	/** `netTerms` in days. */
	invoice(now: number, lines: readonly Line[], netTerms: number, currency: string): Issued;
	/** Credits the rest of an invoice, except for usage. */
	creditRest(now: number, invoice: Issued): void;
}

type Event = "issue" | "renew" | "late usage" | "end";

/** The state that a discarded amendment restores. */
interface InForce {
	readonly items: readonly Item[];
	readonly window: Span;
	readonly replacesCurrent: boolean;
}

export class Contract {
	phase: Phase = "DRAFT";
	items: readonly Item[] = [];
	#currency = "";
	#window: Span;
	#renewal: Renewing | null;
	#inForce: InForce | null = null;
	#publishedAt = 0;
	/** The time that is played. */
	#now = 0;
	/** The time of the last check for late usage. */
	#lookedAt = 0;
	readonly #issuing: Issuing;
	readonly #meters: Meters;

	constructor(
		body: Window & { readonly renewal?: Renewing },
		{ issuing, meters }: { readonly issuing: Issuing; readonly meters: Meters },
	) {
		this.#window = spanOf(body, { start: 0, end: 0 });
		this.#renewal = body.renewal?.autoRenew ? body.renewal : null;
		this.#issuing = issuing;
		this.#meters = meters;
	}

	/** The total of the whole term, as the summary shows it; while an amendment is open, as if it were published now. */
	get total(): bigint {
		return this.#itemsToPublish(this.#now).reduce((sum, item) => sum + totalOf(item, this.#currency), 0n);
	}

	get replacesCurrent(): boolean {
		return this.#inForce?.replacesCurrent ?? false;
	}

	// Terms.

	add(now: number, { items, currency, ...window }: Adding): void {
		this.#currency = currency;
		const common = spanOf(window, this.items.length === 0 && !this.#inForce ? this.#window : this.#spanOfOthers(now));
		// Items added to a live contract begin today, unless a date says otherwise.
		const isToday = this.phase === "AMENDING" && window.activationStartDate === undefined;
		const usual = isToday ? { ...common, start: Math.max(common.start, dayOf(now)) } : common;
		this.items = [...this.items, ...items.map((words) => this.#added(words, common, usual))];
	}

	#added(words: ItemRequest, common: Span, usual: Span): Item {
		const own = spanOf(words, usual);
		// An item that begins later shares the cycles of the others.
		return itemOf(words, own, Math.min(own.start, common.start));
	}

	/** Returns the dates of the continuing items; if none continues, those before the amendment with its moved dates. */
	#spanOfOthers(now: number): Span {
		if (this.#inForce === null) return around(this.items);
		const going = this.items.filter(({ isOut, end }) => !isOut && end > now);
		if (going.length > 0) return around(going);
		const { items, window } = this.#inForce;
		const before = around(items);
		return {
			start: this.#window.start === window.start ? before.start : this.#window.start,
			end: this.#window.end === window.end ? before.end : this.#window.end,
		};
	}

	replaceRows(ref: string, rows: readonly Row[]): void {
		this.#change(ref, (item) => ({ ...item, rows: rowsOf(item.model, rows) }));
	}

	removeRow(ref: string, row: number): void {
		this.#change(ref, (item) => ({ ...item, rows: item.rows.filter((_, at) => at !== row) }));
	}

	#change(ref: string, changed: (item: Item) => Item): void {
		this.items = this.items.map((item) => (item.ref === ref ? changed(item) : item));
	}

	/** A draft item is deleted; an item in force ends with its invoiced or running cycle. */
	remove(now: number, ref: string): void {
		const found = this.items.find((item) => item.ref === ref);
		if (!found) return;
		const wasInForce = this.#inForce?.items.some((item) => item.ref === ref) ?? false;
		const end = wasInForce ? endOfRemoved(now, found, this.replacesCurrent) : null;
		this.items = this.items.flatMap((item) =>
			item !== found ? [item] : end === null ? [] : [{ ...item, ref: null, isOut: true, end: Math.min(item.end, end) }],
		);
	}

	changeTerms(now: number, words: TermsRequest): void {
		const isAmended = this.phase === "AMENDING";
		this.items = withTerms(this.items, words, { now, isAmended, replacesCurrent: this.replacesCurrent });
		this.#window = {
			start: dayFrom(words.activationStartDate) ?? this.#window.start,
			end: dayFrom(words.activationEndDate) ?? this.#window.end,
		};
	}

	setRenewal(now: number, renewal: Renewing): void {
		this.#renewal = renewal.autoRenew ? renewal : null;
		this.#lookedAt = now;
	}

	publish(now: number): void {
		for (const invoice of this.#runningInvoices(now)) this.#issuing.creditRest(now, invoice);
		this.items = this.#itemsToPublish(now);
		this.#inForce = null;
		this.phase = "ACTIVE";
		this.#publishedAt = now;
		this.#lookedAt = now;
		this.run(now);
	}

	/** Returns the invoices of running cycles that an open amendment replaces. */
	#runningInvoices(now: number): Set<Issued> {
		const { items, replacesCurrent } = this.#inForce ?? { items: [], replacesCurrent: false };
		return new Set(replacesCurrent ? items.flatMap((item) => runningOf(item, now)?.invoice ?? []) : []);
	}

	/** The cycles of these invoices are invoiced again by the current terms. All other paid time stays paid. */
	#itemsToPublish(now: number): readonly Item[] {
		const invoices = this.#runningInvoices(now);
		return this.items.map((item) => {
			const taken = item.feature === null && item.billed.find((one) => one.invoice && invoices.has(one.invoice));
			if (!taken) return this.#withPaidTime(item);
			return { ...item, until: taken.untilBefore, billed: item.billed.filter((one) => one !== taken) };
		});
	}

	/** A cut last cycle that was charged in full stays paid to its own end when the amendment moves the item's end. */
	#withPaidTime(item: Item): Item {
		const before = this.#inForce?.items.find(({ ref }) => ref !== null && ref === item.ref);
		if (!before || item.feature !== null || item.until !== before.end || item.end <= before.end) return item;
		return { ...item, until: paidUntil({ ...item, end: before.end }) };
	}

	amend(replacesCurrent: boolean): void {
		this.#inForce = { items: this.items, window: this.#window, replacesCurrent };
		this.phase = "AMENDING";
	}

	discard(now: number): void {
		this.#restore();
		this.phase = "ACTIVE";
		this.#publishedAt = now;
		this.#lookedAt = now;
		this.run(now);
	}

	cancel(): void {
		this.#restore();
		this.phase = "CANCELED";
	}

	archive(): void {
		this.#restore();
		if (this.phase !== "END_BILLING") this.phase = "CANCELED";
	}

	#restore(): void {
		if (!this.#inForce) return;
		this.items = this.#inForce.items;
		this.#window = this.#inForce.window;
		this.#inForce = null;
	}

	// Due steps.

	next(): { at: number; event: Event } | undefined {
		if (this.phase !== "ACTIVE" && this.phase !== "END_BILLING") return undefined;
		const events: Array<{ at: number; event: Event }> = [];
		const first = (event: Event, times: readonly number[]) => {
			if (times.length > 0) events.push({ at: Math.min(...times), event });
		};
		if (this.phase === "ACTIVE") {
			first(
				"issue",
				this.#charged().map(({ due }) => Math.max(due, this.#publishedAt)),
			);
			first("renew", this.#renewal && this.#renewable.length > 0 ? [this.#renewAt(this.#renewal)] : []);
		}
		// All is invoiced, and nothing follows.
		if (this.phase === "ACTIVE" && events.length === 0)
			first("end", [Math.max(this.#publishedAt, ...this.items.map(({ end }) => end))]);
		first(
			"late usage",
			this.#over.map((item) => this.#lookAt(item)),
		);
		return events.reduce<{ at: number; event: Event } | undefined>(
			(earliest, one) => (earliest && earliest.at <= one.at ? earliest : one),
			undefined,
		);
	}

	run(until: number): void {
		this.#now = until;
		for (let next = this.next(); next && next.at <= until; next = this.next()) this.#happen(next.at, next.event);
	}

	#happen(now: number, event: Event): void {
		switch (event) {
			case "issue":
				this.#issueFirst(now);
				break;
			case "renew":
				this.#renew();
				break;
			case "late usage":
				this.#issueLate(now);
				break;
			case "end":
				this.phase = "END_BILLING";
		}
		this.#lookedAt = event === "late usage" ? now : now - 1;
	}

	/** Returns the end of the current term, without removed items. */
	get #termEnd(): number {
		return Math.max(...this.items.filter(({ isOut }) => !isOut).map(({ end }) => end));
	}

	/** Returns the recurring items that run to the end. */
	get #renewable(): Item[] {
		return this.items.filter(({ unit, end, isOut }) => !isOut && unit !== "one_time" && end === this.#termEnd);
	}

	#renewAt({ noticePeriodDays = 0 }: Renewing): number {
		return Math.max(this.#termEnd - noticePeriodDays * dayMs, this.#publishedAt);
	}

	#renew(): void {
		if (!this.#renewal) return;
		const renewal = this.#renewal;
		const term = termAfter(this.#termEnd, renewal.months ?? 12);
		this.items = [...this.items, ...this.#renewable.map((item) => renewedItem(item, term, renewal))];
		this.#window = { ...this.#window, end: term.end };
	}

	/** Returns the pay-as-you-go items that are invoiced to their end. */
	get #over(): Item[] {
		return this.items.filter((item) => item.feature !== null && item.until !== null && !nextCycle(item));
	}

	/** First a month after its end. */
	#lookAt({ end }: Item): number {
		return nextLateUsageCheck(end, Math.max(this.#lookedAt, end));
	}

	#charged(): Array<{ item: Item; cycle: Cycle; due: number }> {
		return this.items.flatMap((item) => {
			const cycle = nextCycle(item);
			return cycle ? [{ item, cycle, due: dueOf(item, cycle) }] : [];
		});
	}

	/** The first due lines share an invoice if their terms are equal. */
	#issueFirst(now: number): void {
		const charged = this.#charged();
		const due = Math.min(...charged.map((one) => one.due));
		const together = charged.filter((one) => one.due === due);
		for (const group of Map.groupBy(together, ({ item }) => this.#alike(item)).values()) {
			const lines = group.map(({ item, cycle }) => {
				const used = item.feature === null ? null : usedIn(item.feature, cycle, this.#meters);
				const own = lineFor(item, cycle, this.#currency, used);
				return { item, cycle, used, own, late: this.#lateOf(item) };
			});
			const shown = lines.flatMap(({ own, late }) => [
				...(own.isShown ? [own.line] : []),
				...late.filter(({ isShown }) => isShown).map(({ line }) => line),
			]);
			const invoice = this.#invoice(now, shown, group[0]?.item.netTerms ?? 0);
			for (const { item, cycle, used, own, late } of lines) {
				const { model, rows, discount, tax } = item;
				const billed: Billed = {
					span: { start: cycle.start, end: cycle.end },
					invoice,
					figures: own.line,
					quantity: used ?? { over: 0n, under: 1n },
					pricing: { model, rows, ...(discount !== undefined && { discount }), ...(tax !== undefined && { tax }) },
					untilBefore: item.until,
				};
				this.#save(item, { until: cycle.end, billed: [...this.#grown(item, late), billed] });
			}
		}
	}

	/** Late usage of ended items has its own invoice. */
	#issueLate(now: number): void {
		const due = this.#over
			.filter((item) => this.#lookAt(item) === now)
			.map((item) => ({ item, late: this.#lateOf(item) }))
			.filter(({ late }) => late.length > 0);
		for (const found of Map.groupBy(due, ({ item }) => this.#alike(item)).values()) {
			const lines = found.flatMap(({ late }) => late.filter(({ isShown }) => isShown).map(({ line }) => line));
			this.#invoice(now, lines, found[0]?.item.netTerms ?? 0);
			for (const { item, late } of found) this.#save(item, { billed: this.#grown(item, late) });
		}
	}

	#alike(item: Item): string {
		const { unit, count, inArrears, netTerms, separate } = item;
		return [unit, count, inArrears, netTerms, separate ? this.items.indexOf(item) : "together"].join();
	}

	#invoice(now: number, lines: readonly Line[], netTerms: number): Issued | null {
		return lines.length === 0 ? null : this.#issuing.invoice(now, lines, netTerms, this.#currency);
	}

	#lateOf(item: Item) {
		const { feature } = item;
		if (feature === null) return [];
		// Newest first.
		return item.billed.toReversed().flatMap((billed) => {
			const used = usedIn(feature, billed.span, this.#meters);
			const late = lateLine(item, billed, used, this.#currency);
			return late ? [{ billed, used, ...late }] : [];
		});
	}

	#grown(item: Item, late: ReadonlyArray<{ billed: Billed; used: Billed["quantity"]; line: Line }>): Billed[] {
		return item.billed.map((billed) => {
			const found = late.find((one) => one.billed === billed);
			if (!found) return billed;
			const sum = (part: "amount" | "discount" | "tax" | "total") => billed.figures[part] + found.line[part];
			const figures = { amount: sum("amount"), discount: sum("discount"), tax: sum("tax"), total: sum("total") };
			return { ...billed, figures, quantity: found.used };
		});
	}

	#save(item: Item, changes: Partial<Pick<Item, "until" | "billed">>): void {
		this.items = this.items.map((one) => (one === item ? { ...one, ...changes } : one));
	}
}

const around = (items: readonly Item[]): Span => ({
	start: Math.min(...items.map(({ start }) => start)),
	end: Math.max(...items.map(({ end }) => end)),
});
