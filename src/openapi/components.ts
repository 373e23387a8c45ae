import { namedSchemas } from "./names";
import { plain, type Schema, withInner } from "./schema";

/**
 * The schemas of the document, each described once. An exported schema (`names.ts`) has its own name. Others are named after
 * their first place, such as `PackageChargesPricingModelsItem`.
 */
export class Components {
	readonly schemas: Record<string, Schema> = {};
	/** The shape of each schema of the document, by name. */
	readonly #written = new Map<string, string>();
	readonly #nameByShape = new Map<string, string>();
	readonly #shapes = new WeakMap<Schema, string>();
	readonly #numbers = new Map<string, string>();

	constructor() {
		for (const [name, schema] of namedSchemas()) {
			const shape = this.#shapeOf(plain(schema));
			if (!this.#nameByShape.has(shape)) this.#nameByShape.set(shape, name);
		}
	}

	/** A reference to an object or an enumeration; else the schema itself. */
	refer(schema: Schema, nameHere: string): Schema {
		return this.#refer(plain(schema), nameHere);
	}

	#refer(schema: Schema, nameHere: string): Schema {
		const shape = this.#shapeOf(schema);
		const known = this.#nameByShape.get(shape);
		if (!isObject(schema) && !(known !== undefined && isChoice(schema))) return this.#inside(schema, nameHere);
		const name = known ?? nameHere;
		const written = this.#written.get(name);
		if (written === undefined) {
			this.#nameByShape.set(shape, name);
			this.#written.set(name, shape);
			// Reserves the name before its content is described.
			this.schemas[name] = {};
			this.schemas[name] = this.#inside(schema, name);
		} else if (written !== shape)
			throw new Error(`Two schemas of the OpenAPI document are named '${name}': export them under other names.`);
		const { description } = schema;
		return {
			$ref: `#/components/schemas/${name}`,
			// The description of a place is next to the reference.
			...(description !== undefined && this.schemas[name]?.description !== description && { description }),
		};
	}

	#inside(schema: Schema, name: string): Schema {
		return withInner(schema, (inner, suffix) => this.#refer(inner, `${name}${suffix}`));
	}

	/**
	 * Equal for equal schemas, regardless of their descriptions: two places can describe a schema differently. Inner schemas
	 * count by a number, so each schema is serialized once.
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
