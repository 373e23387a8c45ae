interface Entry<Value> {
	readonly value: Value;
	readonly weight: number;
}

/** Remembers by a key, up to a weight in all; beyond it everything is forgotten, and read again. */
export class Memory<Value> {
	#entries = new Map<string, Entry<Value>>();
	#weight = 0;

	constructor(private readonly weightMax: number) {}

	get(key: string): Value | undefined {
		return this.#entries.get(key)?.value;
	}

	/** What alone is too heavy is not kept. */
	set(key: string, value: Value, weight: number): void {
		this.#weight += weight - (this.#entries.get(key)?.weight ?? 0);
		this.#entries.set(key, { value, weight });
		if (this.#weight <= this.weightMax) return;
		this.#entries = new Map();
		this.#weight = 0;
		if (weight <= this.weightMax) this.set(key, value, weight);
	}
}
