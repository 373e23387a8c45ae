import { namedSchemas } from "./names";
import { plain, type Schema, withInner } from "./schema";

/**
 * The schemas of the document, each described once: what the code names (`names.ts`) under that name, and what it does
 * not under the name of where it stands first, such as `PackageChargesPricingModelsItem`.
 */
export class Components {
	readonly schemas: Record<string, Schema> = {};
	readonly #nameByShape = new Map<string, string>();
	readonly #shapes = new WeakMap<Schema, string>();
	readonly #numbers = new Map<string, string>();

	constructor() {
		for (const [name, schema] of namedSchemas()) {
			const shape = this.#shapeOf(plain(schema));
			if (!this.#nameByShape.has(shape)) this.#nameByShape.set(shape, name);
		}
	}

	/** A reference where the schema is worth a name, that is for objects and enumerations; else the schema itself. */
	refer(schema: Schema, nameHere: string): Schema {
		return this.#refer(plain(schema), nameHere);
	}

	#refer(schema: Schema, nameHere: string): Schema {
		const shape = this.#shapeOf(schema);
		const known = this.#nameByShape.get(shape);
		if (!isObject(schema) && !(known !== undefined && isChoice(schema))) return this.#inside(schema, nameHere);
		const name = known ?? nameHere;
		const written = this.schemas[name];
		if (written === undefined) {
			this.#nameByShape.set(shape, name);
			// Before its inside is known, so that no other takes the name.
			this.schemas[name] = {};
			this.schemas[name] = this.#inside(schema, name);
		} else if (known === undefined)
			throw new Error(`Two schemas of the OpenAPI document are named '${name}': export them under other names.`);
		const { description } = schema;
		return {
			$ref: `#/components/schemas/${name}`,
			// What a place says of itself stands alongside the reference.
			...(description !== undefined && this.schemas[name]?.description !== description && { description }),
		};
	}

	#inside(schema: Schema, name: string): Schema {
		return withInner(schema, (inner, suffix) => this.#refer(inner, `${name}${suffix}`));
	}

	/**
	 * The same for schemas that say the same, whatever they say of themselves: a thing may be described differently in two
	 * places. What is inside counts by a number, so that each schema is written out once.
	 */
	#shapeOf(schema: Schema): string {
		const known = this.#shapes.get(schema);
		if (known !== undefined) return known;
		const { description: _, ...said } = withInner(schema, (inner) => ({
			$ref: this.#shapeOf(inner),
			...(inner.description !== undefined && { description: inner.description }),
		}));
		const text = JSON.stringify(said);
		const shape = this.#numbers.get(text) ?? String(this.#numbers.size);
		this.#numbers.set(text, shape);
		this.#shapes.set(schema, shape);
		return shape;
	}
}

const isObject = ({ properties }: Schema): boolean => properties !== undefined && Object.keys(properties).length > 0;

const isChoice = ({ enum: values, anyOf }: Schema): boolean =>
	(values?.length ?? 0) > 1 || (anyOf ?? []).filter(isObject).length > 1;
