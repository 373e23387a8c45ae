import { namedSchemas } from "./names";
import { plain, type Schema, withInner } from "./schema";

/**
 * The schemas of the document, each described once: what the code names (`names.ts`) under that name, and what it does
 * not under the name of where it stands first, such as `PackageChargesPricingModelsItem`.
 */
export class Components {
	readonly schemas: Record<string, Schema> = {};
	readonly #nameByShape = new Map<string, string>();

	constructor() {
		for (const [name, schema] of namedSchemas()) {
			const shape = shapeOf(plain(schema));
			if (!this.#nameByShape.has(shape)) this.#nameByShape.set(shape, name);
		}
	}

	/** A reference where the schema is worth a name, that is for objects and enumerations; else the schema itself. */
	refer(schema: Schema, nameHere: string): Schema {
		return this.#refer(plain(schema), nameHere);
	}

	#refer(schema: Schema, nameHere: string): Schema {
		const shape = shapeOf(schema);
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
			// What a place says of itself stands beside the reference.
			...(description !== undefined && this.schemas[name]?.description !== description && { description }),
		};
	}

	#inside(schema: Schema, name: string): Schema {
		return withInner(schema, (inner, suffix) => this.#refer(inner, `${name}${suffix}`));
	}
}

const isObject = ({ properties }: Schema): boolean => properties !== undefined && Object.keys(properties).length > 0;

const isChoice = ({ enum: values, anyOf }: Schema): boolean =>
	(values?.length ?? 0) > 1 || (anyOf ?? []).filter(isObject).length > 1;

/** What a schema says of itself is not part of its shape: the same may be called differently in two places. */
const shapeOf = ({ description: _, ...schema }: Schema): string => JSON.stringify(schema);
