/** Signs that people write within a number and between numbers. */
const signs = "[\\s._/#:-]";

/** Our bounds: the numbers that a text names, and the prefixes of one environment. */
const numbersMax = 20;
const prefixesMax = 200;

interface Parts {
	readonly prefix: string;
	readonly digits: string;
}

/** Splits a number into its prefix and its digits, without signs and leading zeros: INV-000042 becomes INV and 42. */
function partsOf(number: string): Parts | undefined {
	const plain = number.toUpperCase().replace(/[^A-Z0-9]/g, "");
	const [, prefix, digits] = /^(.*[A-Z])([0-9]+)$/.exec(plain) ?? [];
	return prefix === undefined || digits === undefined ? undefined : { prefix, digits: digits.replace(/^0+(?=.)/, "") };
}

const keyOf = ({ prefix, digits }: Parts): string => `${prefix}|${digits}`;

/** The open invoices by their numbers. */
export class InvoiceNumbers {
	readonly #ids = new Map<string, string[]>();
	readonly #prefixes = new Set<string>();
	#expression: RegExp | undefined;

	add(id: string, number: string): void {
		const parts = partsOf(number);
		if (!parts || (!this.#prefixes.has(parts.prefix) && this.#prefixes.size >= prefixesMax)) return;
		this.#prefixes.add(parts.prefix);
		this.#expression = undefined;
		const known = this.#ids.get(keyOf(parts));
		if (known) known.push(id);
		else this.#ids.set(keyOf(parts), [id]);
	}

	/** Returns the invoices whose numbers a text contains, and the numbers of that form that no open invoice has. */
	find(text: string): { readonly ids: readonly string[]; readonly unknown: readonly Parts[] } {
		const ids = new Set<string>();
		const unknown: Parts[] = [];
		for (const { prefix, groups } of this.#named(text))
			for (let at = 0; at < groups.length; ) {
				// A number with its year has two groups of digits.
				const [one = "", next] = [groups[at], groups[at + 1]];
				const pair = next === undefined ? [] : this.#of({ prefix, digits: one + next });
				const found = pair.length > 0 ? pair : this.#of({ prefix, digits: one });
				for (const id of found) ids.add(id);
				if (found.length === 0) unknown.push({ prefix, digits: one.replace(/^0+(?=.)/, "") });
				at += pair.length > 0 ? 2 : 1;
			}
		return { ids: [...ids], unknown };
	}

	/** Returns the invoices whose number differs from a number by one digit, or by two exchanged digits. */
	near({ prefix, digits }: Parts): string[] {
		const near = new Set<string>();
		for (let at = 0; at < digits.length; at += 1) {
			const [before, after] = [digits.slice(0, at), digits.slice(at + 1)];
			near.add(before + after);
			for (let digit = 0; digit <= 9; digit += 1) {
				near.add(`${before}${digit}${after}`);
				near.add(`${before}${digit}${digits.slice(at)}`);
			}
			if (at + 1 < digits.length) near.add(before + digits[at + 1] + digits[at] + digits.slice(at + 2));
		}
		for (let digit = 0; digit <= 9; digit += 1) near.add(digits + digit);
		near.delete(digits);
		return [...near].flatMap((one) => this.#of({ prefix, digits: one }));
	}

	#of({ prefix, digits }: Parts): readonly string[] {
		return this.#ids.get(keyOf({ prefix, digits: digits.replace(/^0+(?=.)/, "") })) ?? [];
	}

	#named(text: string): Array<{ prefix: string; groups: string[] }> {
		if (this.#prefixes.size === 0) return [];
		this.#expression ??= expressionOf([...this.#prefixes]);
		const found = [...text.toUpperCase().matchAll(this.#expression)].slice(0, numbersMax);
		return found.map(([, prefix = "", digits = ""]) => ({
			prefix: prefix.replace(/[^A-Z0-9]/g, ""),
			groups: (digits.match(/[0-9]+/g) ?? []).slice(0, numbersMax),
		}));
	}
}

/** Matches a known prefix, then groups of digits. The longest prefix comes first. */
function expressionOf(prefixes: readonly string[]): RegExp {
	const choices = prefixes
		.toSorted((one, other) => other.length - one.length)
		.map((prefix) => [...prefix].join("[\\s._-]?"));
	return new RegExp(`(?<![A-Z0-9])(${choices.join("|")})${signs}{0,3}([0-9]+(?:(?:${signs}|,\\s?|\\+)[0-9]+)*)`, "g");
}
