/** Bounds the memory to about 6 MB. */
const knownMax = 10_000;

/** The networks from which people have signed in since the server started. Evicts the pair that signed in longest ago. */
export class KnownNetworks {
	readonly #pairs = new Set<string>();

	constructor(readonly pairsMax: number = knownMax) {}

	add(pair: string): void {
		this.#pairs.delete(pair);
		this.#pairs.add(pair);
		const [oldest] = this.#pairs;
		if (this.#pairs.size > this.pairsMax && oldest !== undefined) this.#pairs.delete(oldest);
	}

	has(pair: string): boolean {
		return this.#pairs.has(pair);
	}
}
