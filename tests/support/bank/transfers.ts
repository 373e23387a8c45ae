/** Transfers with the invoices that they truly pay. Nothing of the matching is imported here. */

export interface Invoice {
	readonly id: string;
	readonly number: string;
	readonly sequence: number;
	readonly customerId: string;
	readonly customerName: string;
	readonly currency: "eur" | "usd";
	readonly cents: number;
}

export interface Transfer {
	readonly kind: Kind;
	readonly cents: number;
	readonly name: string;
	readonly iban: string;
	readonly text: string;
	readonly reference: string | null;
	/** The ids of the invoices that it pays; empty if it pays none. */
	readonly pays: readonly string[];
}

const kinds = {
	reference: 20,
	referenceInText: 5,
	wrongReference: 6,
	number: 24,
	wrongNumber: 10,
	several: 12,
	severalWithoutNumbers: 3,
	nameOnly: 10,
	fees: 6,
	otherCurrency: 2,
	unrelated: 2,
} as const;
type Kind = keyof typeof kinds;

/** A generator of random numbers from a seed (mulberry32). */
export function randomFrom(seed: number) {
	let state = seed;
	const next = (): number => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
	const below = (end: number): number => Math.floor(next() * end);
	return { next, below, among: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item };
}
type Random = ReturnType<typeof randomFrom>;

const syllables =
	"ba ber bo che da den do el fa fer gar go hel in ja kel kra la len lo ma mer mi no or pe ra ro sa sen ta tor ul va wen zi".split(
		" ",
	);
const word = (random: Random): string => {
	const text = Array.from({ length: 2 + random.below(3) }, () => random.among(syllables)).join("");
	return text.charAt(0).toUpperCase() + text.slice(1);
};
const nameOf = (random: Random): string =>
	random.below(2) === 0
		? `${word(random)} ${word(random)}`
		: `${word(random)} ${word(random)} ${random.among(["GmbH", "AG", "Ltd", "S.A.", "B.V."])}`;

/** Makes customers with one to five open invoices each. One customer in fifty has the name of another one. */
export function invoicesOf(random: Random, customers: number): Invoice[] {
	const names: string[] = [];
	const owners: number[] = [];
	for (let at = 0; at < customers; at += 1) {
		names.push(at > 0 && random.below(50) === 0 ? random.among(names) : nameOf(random));
		for (let count = 1 + random.below(5); count > 0; count -= 1) owners.splice(random.below(owners.length + 1), 0, at);
	}
	return owners.map((owner, at) => ({
		...{ id: `invoice-${at + 1}`, number: `INV-${String(at + 1).padStart(6, "0")}`, sequence: at + 1 },
		...{ customerId: `customer-${owner}`, customerName: names[owner] ?? "" },
		currency: random.below(25) === 0 ? "usd" : "eur",
		cents: random.below(4) === 0 ? random.among([4_900, 9_900, 19_900]) : 500 + random.below(500_000),
	}));
}

/** The check digits of ISO 11649 by exact integers. */
export function referenceOf(number: string): string {
	const text = number.replaceAll("-", "");
	const digits = [...`${text}RF00`].map((one) => (one >= "A" ? String(one.charCodeAt(0) - 55) : one)).join("");
	return `RF${String(98n - (BigInt(digits) % 97n)).padStart(2, "0")}${text}`;
}

/** Changes, exchanges, drops or doubles one digit after the first five characters. */
function mistyped(random: Random, text: string): string {
	for (;;) {
		const at = 5 + random.below(text.length - 5);
		const digit = text[at] ?? "0";
		const changed = random.among([
			text.slice(0, at) + random.below(10) + text.slice(at + 1),
			text.slice(0, at) + (text[at + 1] ?? "") + digit + text.slice(at + 2),
			text.slice(0, at) + text.slice(at + 1),
			text.slice(0, at) + digit + text.slice(at),
		]);
		if (changed !== text) return changed;
	}
}

/** The name as a bank or a person may write it. */
function writtenName(random: Random, name: string): string {
	switch (random.below(6)) {
		case 0:
			return name.toUpperCase();
		case 1:
			return name
				.split(" ")
				.toReversed()
				.join(" ")
				.replace(/^(GmbH|AG|Ltd|S\.A\.|B\.V\.) (\S+) (\S+)$/, "$3 $2 $1");
		case 2:
			return name.slice(0, 27);
		default:
			return name;
	}
}

export function transfersOf(random: Random, invoices: readonly Invoice[], count: number): Transfer[] {
	const ofCustomer = Map.groupBy(invoices, ({ customerId }) => customerId);
	const choices = Object.entries(kinds).flatMap(([kind, weight]) => Array<Kind>(weight).fill(kind as Kind));
	return Array.from({ length: count }, () => transferOf(random, invoices, ofCustomer, random.among(choices)));
}

function transferOf(
	random: Random,
	invoices: readonly Invoice[],
	ofCustomer: ReadonlyMap<string, Invoice[]>,
	kind: Kind,
): Transfer {
	const wanted = kind === "otherCurrency" ? "usd" : "eur";
	let invoice = random.among(invoices);
	while (invoice.currency !== wanted) invoice = random.among(invoices);
	const own = (ofCustomer.get(invoice.customerId) ?? []).filter(({ currency }) => currency === "eur");
	const paid = kind.startsWith("several") ? own.slice(0, 2 + random.below(3)) : [invoice];
	// A payer who names nothing pays the oldest invoice of an amount.
	const oldest = own.find(({ cents }) => cents === invoice.cents) ?? invoice;
	const pays = kind === "nameOnly" ? [oldest] : paid;
	const cents = pays.reduce((sum, one) => sum + one.cents, 0);
	const transfer = {
		...{ kind, cents, name: writtenName(random, invoice.customerName), iban: `IBAN-${invoice.customerId}` },
		...{ text: "Thank you", reference: null, pays: pays.map(({ id }) => id) },
	};
	const written = pays.map(({ number }) =>
		random.among([number, number.replace("-", " "), number.replace("-", ""), `No. ${number}`, number.toLowerCase()]),
	);
	switch (kind) {
		case "reference":
			return { ...transfer, reference: referenceOf(invoice.number), text: "" };
		case "referenceInText":
			return { ...transfer, text: `${referenceOf(invoice.number).replace(/(.{4})(?=.)/g, "$1 ")} thanks` };
		case "wrongReference":
			return { ...transfer, reference: mistyped(random, referenceOf(invoice.number)) };
		case "wrongNumber":
			return { ...transfer, text: `invoice ${mistyped(random, `x${invoice.number}`).slice(1)}` };
		case "number":
		case "several":
			return { ...transfer, text: `Invoice ${written.join(random.among([", ", " ", " and ", "; "]))} of 2026-01-15` };
		case "fees":
			return { ...transfer, cents: cents - 1 - random.below(Math.min(cents - 1, 1000)), text: `${written.join(" ")}` };
		case "otherCurrency":
			return { ...transfer, cents: Math.round(cents * 0.91), text: `${written.join(" ")}` };
		case "unrelated":
			return {
				...transfer,
				name: nameOf(random),
				iban: "IBAN-other",
				cents: 1 + random.below(900_000),
				pays: [],
				text: random.among(["Rent", "Refund of the deposit", "Salary 2026-01"]),
			};
		default:
			return transfer;
	}
}
