import { dayMs } from "../calendar";
import type { Random } from "../random";
import type { Timed } from "./cycles";
import { type ContractAct, type ItemRequest, iso, type Row, rowModels, type Unit, type Window } from "./requests";

const unitDays: Record<Unit, number> = { weekly: 7, monthly: 30, quarterly: 91, yearly: 365, one_time: 365 };
/** More cycles of an item show nothing new. */
const cyclesMax = 30;

/** The items that a history has agreed so far. */
export class Deal {
	readonly #random: Random;
	readonly #currency: string;
	#items: ItemRequest[] = [];
	#named = 0;

	constructor(random: Random, currency: string) {
		this.#random = random;
		this.#currency = currency;
	}

	batches(window: Required<Window>): ItemRequest[][] {
		const random = this.#random;
		return Array.from({ length: random.oneOf([1, 1, 2]) }, () =>
			Array.from({ length: random.whole(1, 3) }, () => this.#item(window, this.#ramp(window))),
		);
	}

	/** A window of its own, within that of the contract or slightly beyond it. */
	#ramp({ activationStartDate, activationEndDate }: Required<Window>): Window {
		const random = this.#random;
		if (random.chance(0.65)) return {};
		const [start, end] = [Date.parse(activationStartDate), Date.parse(activationEndDate)];
		const length = end - start;
		const from = start + random.whole(random.chance(0.2) ? -Math.floor(length / 4) : 0, Math.floor(length / 2));
		const to = from + random.whole(dayMs, length);
		const day = (at: number) => (random.chance(0.7) ? Math.floor(at / dayMs) * dayMs : at);
		return {
			...(random.chance(0.7) && { activationStartDate: iso(day(from)) }),
			...(random.chance(0.7) && { activationEndDate: iso(Math.max(day(to), from + dayMs)) }),
		};
	}

	#item(window: Required<Window>, own: Window): ItemRequest {
		const random = this.#random;
		this.#named += 1;
		const isUsed = random.chance(0.3);
		const model = random.oneOf(rowModels);
		const { activationStartDate, activationEndDate } = { ...window, ...own };
		const days = (Date.parse(activationEndDate) - Date.parse(activationStartDate)) / dayMs;
		const unit = random.oneOf<Unit>(["weekly", "monthly", "monthly", "monthly", "quarterly", "yearly", "one_time"]);
		const least = Math.max(1, Math.ceil(days / unitDays[unit] / cyclesMax));
		const item: ItemRequest = {
			name: `Item ${this.#named}`,
			externalId: `i${this.#named}`,
			...(isUsed && { itemName: random.oneOf(["calls", "tokens", "jobs", "peak"]) }),
			pricingModelId: isUsed ? `usage-${model}` : model,
			rows: this.#rows(model, isUsed),
			billingCycleUnit: unit,
			billingCycleCount: random.chance(0.8) ? least : least + random.whole(0, 4),
			...(!isUsed && random.chance(0.6) && { paymentTime: random.oneOf(["IN_ADVANCE", "IN_ARREARS"] as const) }),
			...(random.chance(0.3) && { discount: Number(random.decimal(99, random.oneOf([0, 2]))) }),
			...(random.chance(0.5) && { tax: Number(random.decimal(25, random.oneOf([0, 1, 2]))) }),
			netTerms: random.oneOf([0, 14, 30]),
			...(random.chance(0.2) && { separateInvoice: true }),
			...(random.chance(0.4) && { prorateCutCycles: true }),
			...own,
		};
		this.#items.push(item);
		return item;
	}

	#rows(model: ItemRequest["pricingModelId"] | (typeof rowModels)[number], isUsed: boolean): Row[] {
		const random = this.#random;
		const kind = model.replace("usage-", "");
		const price = () => Number(random.decimal(isUsed ? 5 : 200, random.oneOf([0, 2, 3, 4])));
		const quantity = () => Number(random.decimal(80, random.oneOf([0, 0, 2])));
		if (kind === "flat" || kind === "package")
			return Array.from({ length: isUsed ? 1 : random.oneOf([1, 1, 2]) }, () => ({
				price: price(),
				...(!isUsed && random.chance(0.8) && { quantity: quantity() }),
				...(kind === "package" &&
					random.chance(0.9) && { packageSize: Number(random.decimal(20, random.oneOf([0, 1]))) }),
			}));
		const committed = isUsed ? {} : { quantity: quantity() };
		let bound = 0;
		const tiers = Array.from({ length: random.whole(1, 3) }, (_, at): Row => {
			const from = bound + (random.chance(0.1) ? random.whole(1, 5) : 0);
			bound = from + random.whole(1, 40);
			return {
				...committed,
				price: price(),
				...((from > 0 || random.chance(0.5)) && (at === 0 || random.chance(0.5) || from !== bound) && { from }),
				to: bound,
			};
		});
		return random.chance(0.9) ? [...tiers, { ...committed, price: price(), to: null }] : tiers;
	}

	draftChange(): ContractAct | undefined {
		const random = this.#random;
		const choice = random.whole(1, 10);
		if (choice <= 3) return this.repricing();
		if (choice <= 5 && this.#items.length > 1) return this.#removing();
		if (choice <= 6) return { do: "remove row", item: random.oneOf(this.#items).externalId, row: 0 };
		if (choice <= 8) return { do: "change terms", body: { netTerms: random.oneOf([0, 7, 60]) } };
		return undefined;
	}

	repricing(): ContractAct {
		const { externalId, pricingModelId } = this.#random.oneOf(this.#items);
		return {
			do: "replace rows",
			item: externalId,
			rows: this.#rows(pricingModelId, pricingModelId.startsWith("usage-")),
		};
	}

	#removing(): ContractAct {
		const { externalId } = this.#random.oneOf(this.#items);
		this.#items = this.#items.filter((item) => item.externalId !== externalId);
		return { do: "remove item", item: externalId };
	}

	/** An earlier end, mostly the end of an item's invoiced time; then an item without dates. */
	*shortening(now: number, items: readonly Timed[], window: Required<Window>): Generator<ContractAct> {
		const random = this.#random;
		const invoiced = items.flatMap(({ until }) => (until !== null && until > now ? [until] : []));
		const isInvoiced = invoiced.length > 0 && random.chance(0.8);
		const end = isInvoiced ? random.oneOf(invoiced) : now + random.whole(1, 60) * dayMs;
		const earlier: ContractAct = { do: "change terms", body: { activationEndDate: iso(end) } };
		if (random.chance(0.8)) yield earlier;
		if (this.#items.length > 1 && random.chance(0.3)) yield this.#removing();
		const item = this.#item(window, {});
		yield { do: "add items", body: { items: [item], currency: this.#currency } };
	}

	/** `starts` are those of the contract's items. */
	amending(now: number, starts: readonly number[], window: Required<Window>): ContractAct {
		const random = this.#random;
		const choice = random.whole(1, 10);
		if (choice <= 4 || this.#items.length < 2) return this.repricing();
		if (choice <= 6) {
			return this.#removing();
		}
		if (choice <= 8) {
			const activationEndDate = iso(now + random.whole(20, 500) * dayMs);
			// If all items begin together, the new one usually has no date of its own.
			const isNamed = new Set(starts).size > 1 || random.chance(0.3);
			const from = {
				activationStartDate: isNamed ? iso(now + random.whole(-20, 60) * dayMs) : window.activationStartDate,
				activationEndDate,
			};
			const item = this.#item(from, {});
			const dates = { ...(isNamed && { activationStartDate: from.activationStartDate }), activationEndDate };
			return { do: "add items", body: { items: [item], currency: this.#currency, ...dates } };
		}
		const later = iso(Date.parse(window.activationEndDate) + random.whole(-60, 300) * dayMs);
		return {
			do: "change terms",
			body: {
				...(random.chance(0.5) && { netTerms: random.oneOf([0, 7, 60]) }),
				...(random.chance(0.8) ? { activationEndDate: later } : { netTerms: 45 }),
			},
		};
	}
}
