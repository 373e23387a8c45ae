interface Entry<Value> {
	readonly value: Value;
	readonly weight: number;
}

/** A cache with a limit of total weight; beyond it, everything is evicted. */
export class Memory<Value> {
	#entries = new Map<string, Entry<Value>>();
	#weight = 0;

	constructor(private readonly weightMax: number) {}

	get(key: string): Value | undefined {
		return this.#entries.get(key)?.value;
	}

	/** Does not store a value that exceeds the limit on its own. */
	set(key: string, value: Value, weight: number): void {
		this.#weight += weight - (this.#entries.get(key)?.weight ?? 0);
		this.#entries.set(key, { value, weight });
		if (this.#weight <= this.weightMax) return;
		this.#entries = new Map();
		this.#weight = 0;
		if (weight <= this.weightMax) this.set(key, value, weight);
	}
}
