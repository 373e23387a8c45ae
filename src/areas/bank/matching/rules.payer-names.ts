/** Words that name the form of a company, not the company. */
const forms: ReadonlySet<string> = new Set(
	"gmbh ag kg ohg ug mbh co ev gbr se sa sarl sas srl spa bv nv ltd limited llc inc incorporated plc corp corporation company and und".split(
		" ",
	),
);

/** Our bound: customers that share a word with a payer and are compared with it. */
const comparedMax = 100;

/** The least similarity, from 0 to 1, at which two names mean the same payer. One typing error in a short name keeps it. */
const sameFrom = 0.75;

/** Returns the words of a name in lower case, without accents, signs and legal forms. */
export function wordsOfName(name: string): string[] {
	const plain = name
		.toLowerCase()
		.replace(/ä|ae/g, "a")
		.replace(/ö|oe/g, "o")
		.replace(/ü|ue/g, "u")
		.replaceAll("ß", "ss")
		.normalize("NFD")
		.replace(/\p{M}/gu, "");
	const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
	const own = words.filter((word) => !forms.has(word));
	return own.length > 0 ? own : words;
}

/** Returns how similar two names are, from 0 to 1, by their pairs of letters. Banks cut long names, so the longer one is cut too. */
export function similarityOf(one: string, other: string): number {
	const [first, second] = [wordsOfName(one).join(" "), wordsOfName(other).join(" ")];
	if (first === second) return first === "" ? 0 : 1;
	const cutAt = Math.min(first.length, second.length);
	const isCut = cutAt >= 20;
	return diceOf(isCut ? first.slice(0, cutAt) : first, isCut ? second.slice(0, cutAt) : second);
}

function diceOf(one: string, other: string): number {
	const left = new Map<string, number>();
	for (const pair of pairsOf(one)) left.set(pair, (left.get(pair) ?? 0) + 1);
	let common = 0;
	for (const pair of pairsOf(other)) {
		const count = left.get(pair) ?? 0;
		if (count > 0) {
			common += 1;
			left.set(pair, count - 1);
		}
	}
	const total = Math.max(one.length - 1, 0) + Math.max(other.length - 1, 0);
	return total === 0 ? 0 : (2 * common) / total;
}

const pairsOf = (text: string): string[] =>
	Array.from({ length: Math.max(text.length - 1, 0) }, (_, at) => text.slice(at, at + 2));

export const isSameName = (one: string, other: string): boolean => similarityOf(one, other) >= sameFrom;

/** The customers by the words of their names. */
export class PayerNames {
	readonly #byWord = new Map<string, string[]>();
	readonly #names = new Map<string, string>();

	add(customerId: string, name: string): void {
		if (this.#names.has(customerId)) return;
		this.#names.set(customerId, name);
		for (const word of new Set(wordsOfName(name))) {
			const among = this.#byWord.get(word);
			if (among) among.push(customerId);
			else this.#byWord.set(word, [customerId]);
		}
	}

	/** Returns whether the name is that of the customer. */
	isOf(customerId: string, name: string): boolean {
		const own = this.#names.get(customerId);
		return own !== undefined && isSameName(own, name);
	}

	/** Returns the customers with that name, the most similar first. It compares those that share the rarest words. */
	find(name: string): string[] {
		const groups = wordsOfName(name)
			.map((word) => this.#byWord.get(word) ?? [])
			.toSorted((one, other) => one.length - other.length)
			.flatMap((group) => group.slice(0, comparedMax));
		return [...new Set(groups)]
			.slice(0, comparedMax)
			.map((id) => ({ id, similarity: similarityOf(this.#names.get(id) ?? "", name) }))
			.filter(({ similarity }) => similarity >= sameFrom)
			.toSorted((one, other) => other.similarity - one.similarity)
			.map(({ id }) => id);
	}
}
