import { readFileSync } from "node:fs";
import createHarfBuzz from "harfbuzzjs/hb.js";
import shaperFile from "harfbuzzjs/hb.wasm" with { type: "file" };
import subsetterFile from "harfbuzzjs/hb-subset.wasm" with { type: "file" };
import hbjs, { type HarfBuzz } from "harfbuzzjs/hbjs.js";
import { assert } from "../../../kernel/errors";

/** HarfBuzz comes as two WebAssembly modules. The first shapes text, the second cuts fonts; it has no wrapper of its own. */
interface Modules {
	readonly shaper: HarfBuzz;
	readonly subsetter: Subsetter;
}

let modules: Modules | undefined;

/** Loads HarfBuzz once per thread, in some ten milliseconds. Await it before laying out or painting a document. */
export async function loadHarfBuzz(): Promise<void> {
	modules ??= {
		shaper: hbjs(await createHarfBuzz({ wasmBinary: readFileSync(shaperFile) })),
		subsetter: new Subsetter((await WebAssembly.instantiate(readFileSync(subsetterFile))).instance.exports),
	};
}

export function harfBuzz(): Modules {
	assert(modules, "HarfBuzz was loaded");
	return modules;
}

/** The C functions of the second module, by name; pointers are numbers. */
export class Subsetter {
	readonly #exports: WebAssembly.Exports;

	constructor(exports: WebAssembly.Exports) {
		this.#exports = exports;
	}

	call(name: string, ...values: readonly number[]): number {
		const found = this.#exports[name];
		assert(typeof found === "function", `HarfBuzz exports ${name}`);
		return Number(found(...values));
	}

	/** Copies bytes into the module's memory and returns their pointer. */
	allocate(bytes: Uint8Array): number {
		const pointer = this.call("malloc", bytes.length);
		this.#memory().set(bytes, pointer);
		return pointer;
	}

	copy(pointer: number, length: number): Uint8Array {
		return this.#memory().slice(pointer, pointer + length);
	}

	#memory(): Uint8Array {
		const { memory } = this.#exports;
		assert(memory instanceof WebAssembly.Memory, "HarfBuzz exports its memory");
		return new Uint8Array(memory.buffer);
	}
}
