import { setImmediate as othersFirst } from "node:timers/promises";
import type { AnyElysia } from "elysia";
import { interfaceVersion, version } from "../version";
import { Components } from "./components";
import gettingStarted from "./getting-started.md" with { type: "text" };
import type { OperationNotes, ParameterNote, RouteDetail } from "./operation";
import { commonParameters, headers } from "./parameters";
import { errorSchema, refusalsOf, scimErrorSchema, sharedRefusals } from "./refusals";
import { capitalised, plain, type Schema } from "./schema";
import { securityOf, securitySchemes } from "./security";
import { tags } from "./tags";

/** The number of operations after which other requests are served while the document is built. */
const operationsAtOnce = 10;

type Route = AnyElysia["routes"][number];

/** A route with notes. Routes without notes, such as pages, are not part of the API. */
interface Documented {
	readonly route: Route;
	readonly detail: RouteDetail;
	readonly notes: OperationNotes;
}

/**
 * Builds the OpenAPI document from the routes: paths and schemas from their validation, callers and limits from their
 * `permit`, names and examples from their notes (`operation.ts`).
 */
export async function openApiDocument(routes: readonly Route[]) {
	const components = new Components();
	const documented = routes.flatMap((route): Documented[] => {
		const detail: RouteDetail | undefined = route.hooks.detail;
		return detail?.notes ? [{ route, detail, notes: detail.notes }] : [];
	});
	const paths: Record<string, Record<string, unknown>> = {};
	for (const [at, one] of documented.entries()) {
		if (at % operationsAtOnce === 0) await othersFirst();
		const path = one.route.path.replace(/:(\w+)/g, "{$1}");
		paths[path] = { ...paths[path], [one.route.method.toLowerCase()]: operationOf(one, components) };
	}
	return {
		openapi: "3.1.0",
		info: {
			title: "Tollgate",
			version,
			"x-interface-version": interfaceVersion,
			summary: "Subscription billing, entitlements and usage metering.",
			description: gettingStarted,
			license: { name: "MIT", identifier: "MIT" },
		},
		servers: [{ url: "/", description: "The server that sent this document" }],
		tags,
		paths,
		components: {
			securitySchemes,
			parameters: headers,
			responses: sharedRefusals,
			schemas: Object.fromEntries(
				Object.entries({ ...components.schemas, Error: errorSchema, ScimError: scimErrorSchema }).sort(
					([one], [other]) => (one < other ? -1 : 1),
				),
			),
		},
	};
}

function operationOf({ route, detail, notes }: Documented, components: Components) {
	const { operationId, summary, description, callers } = notes;
	const name = operationId.split(".").map(capitalised).join("");
	const body: Schema | undefined = route.hooks.body ?? notes.body;
	const scopes = [detail.permit?.scope, detail.permit?.also].filter((scope) => scope !== undefined);
	const needs =
		scopes.length > 0 ? `Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(" and ")}.` : undefined;
	return {
		operationId,
		...(detail.tags && { tags: detail.tags }),
		summary,
		description: [description ?? `${summary}.`, needs].filter((text) => text !== undefined).join("\n\n"),
		security: securityOf(detail.permit, callers),
		parameters: parametersOf(route, detail, notes, components, name),
		...(takesBody(body) && {
			requestBody: {
				required: !(body.anyOf ?? []).some(({ type }) => type === "undefined"),
				content: {
					...(notes.takesFile !== true && {
						"application/json": {
							schema: components.refer(body, `${name}Body`),
							...(notes.example !== undefined && { example: notes.example }),
						},
					}),
					...otherBodies(notes, components, name),
				},
			},
		}),
		responses: { ...answersOf(route, notes, components, name), ...refusalsOf(route, detail, notes) },
	};
}

const otherBodies = ({ otherBodies: others = {} }: OperationNotes, components: Components, name: string) =>
	Object.fromEntries(
		Object.entries(others).map(([type, { schema, example }]) => [
			type,
			{ schema: components.refer(schema, `${name}Body`), example },
		]),
	);

/** A schema without fields means that nothing is sent. */
const takesBody = (body: Schema | undefined): body is Schema =>
	body !== undefined && !(body.properties !== undefined && Object.keys(body.properties).length === 0);

function parametersOf(
	{ method, hooks }: Route,
	{ permit }: RouteDetail,
	notes: OperationNotes,
	components: Components,
	name: string,
) {
	const { params, query }: { params?: Schema; query?: Schema } = hooks;
	const inPlace = (
		place: "path" | "query",
		schema: Schema | undefined,
		noted: Readonly<Record<string, ParameterNote>>,
	) =>
		Object.entries(schema?.properties ?? {}).map(([key, each]) => {
			const note = noted[key] ?? commonParameters[key];
			if (note === undefined) throw new Error(`The parameter '${key}' of ${notes.operationId} has no description.`);
			const [text, example] = typeof note === "string" ? [note] : note;
			const shown = plain(each);
			return {
				name: key,
				in: place,
				required: place === "path" || (schema?.required ?? []).includes(key),
				description: text,
				// Lists are comma-separated. Repeated keys are accepted as well.
				...(shown.type === "array" && { style: "form", explode: false }),
				schema: components.refer(each, `${name}${capitalised(key.replace(/\W/g, ""))}`),
				...(example !== undefined && { example }),
			};
		});
	return [
		...inPlace("path", params, notes.path ?? {}),
		...inPlace("query", query, notes.query ?? {}),
		...(permit && method === "POST" ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
		...(permit?.publishable ? [{ $ref: "#/components/parameters/CustomerToken" }] : []),
	];
}

/** The successful response: a schema, a schema for each status, or only a content type. */
function answersOf(
	{ hooks }: Route,
	{ answer, response: noted }: OperationNotes,
	components: Components,
	name: string,
) {
	const response: Schema | undefined = hooks.response ?? noted;
	if (answer)
		return {
			200: {
				description: answer.description,
				content: { [answer.contentType]: { schema: { type: "string", format: "binary" } } },
			},
		};
	if (response === undefined) throw new Error(`${name} has no response schema.`);
	const byStatus: Readonly<Record<string, unknown>> = isSchema(response) ? { 200: response } : response;
	return Object.fromEntries(
		Object.entries(byStatus).flatMap(([status, schema]) =>
			isSchema(schema)
				? [
						[
							status,
							{
								description: meaningOf(status, schema),
								content: {
									"application/json": { schema: components.refer(schema, answerName(schema, components, name)) },
								},
							},
						],
					]
				: [],
		),
	);
}

const isSchema = (value: unknown): value is Schema =>
	typeof value === "object" && value !== null && ("type" in value || "anyOf" in value);

const meaningOf = (status: string, { properties }: Schema): string => {
	if (status === "201") return "Created.";
	return properties?.pagination ? "One page of the list." : "Done.";
};

/** `CouponAnswer`, `CouponPage`: named after the content, so operations with equal responses share it. */
function answerName({ properties }: Schema, components: Components, name: string): string {
	const data = properties?.data;
	if (data === undefined) return `${name}Answer`;
	const inside = components.refer(data, `${name}Data`);
	const content = nameIn(inside);
	const listed = nameIn(inside.items);
	if (content !== undefined) return content.endsWith("Answer") ? `${name}Answer` : `${content}Answer`;
	if (listed !== undefined) return properties?.pagination ? `${listed}Page` : `${listed}List`;
	return `${name}Answer`;
}

const nameIn = (schema: Schema | undefined): string | undefined => schema?.$ref?.split("/").at(-1);
