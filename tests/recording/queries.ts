import {
	buildClientSchema,
	type GraphQLField,
	type GraphQLNamedType,
	type GraphQLSchema,
	getIntrospectionQuery,
	getNamedType,
	isLeafType,
	isNonNullType,
	isObjectType,
	printSchema,
} from "graphql";
import type { Server } from "./server";

/** GraphQL operations by their subject. `ID` stands for the id of a customer, a subscription and so on. */
export type Queries = Readonly<Record<Subject, readonly string[]>>;

const arguments_ = {
	customer: [
		"getCustomerByRefId(input: { customerId: ID })",
		"getActiveSubscriptions(input: { customerId: ID })",
		"invoices(input: { customerId: ID })",
		"creditNotes(input: { customerId: ID })",
		"customerBalance(customerId: ID)",
		"customerBalanceEntries(input: { customerId: ID })",
		"creditGrants(input: { customerId: ID })",
		"creditsLedger(input: { customerId: ID })",
		"entitlements(query: { customerId: ID })",
		"customerPortal(input: { customerId: ID })",
	],
	subscription: ["getSubscription(input: { subscriptionId: ID })"],
	contract: [
		"contract(refId: ID)",
		"contractSummary(refId: ID)",
		"contractInvoiceSchedule(refId: ID)",
		"contractNextInvoice(refId: ID)",
		"contractCreditNotes(refId: ID)",
	],
	plan: ["plan(refId: ID)"],
	addon: ["addon(refId: ID)"],
	feature: ["feature(refId: ID)"],
	coupon: ["coupon(refId: ID)"],
	product: ["product(refId: ID)"],
	environment: ["legalEntities", "contractPricingModels", "getPaywall(input: {})"],
} as const;
type Subject = keyof typeof arguments_;
const subjects: readonly Subject[] = [
	...(["customer", "subscription", "contract", "plan", "addon"] as const),
	...(["feature", "coupon", "product", "environment"] as const),
];

/** Our choice: deeper selections repeat the same objects. */
const depthMax = 3;

/** Reads the schema of a server. */
export async function schemaOf(server: Server): Promise<GraphQLSchema> {
	const { body } = await server.send(undefined, "POST", "//graphql", { query: getIntrospectionQuery() });
	if (typeof body !== "object" || body === null || !("data" in body)) throw new Error(JSON.stringify(body));
	return buildClientSchema(Object(body.data));
}

/** Returns the definitions of a schema: each field of each type by its name. */
export function definitionsOf(schema: GraphQLSchema): Map<string, string> {
	const definitions = new Map<string, string>();
	let type = "";
	for (const line of printSchema(schema)
		.replaceAll(/"""[\s\S]*?"""\n/g, "")
		.split("\n")) {
		if (/^\S/.test(line)) type = line.replace(/ \{$/, "");
		const field = line.trim();
		if (field !== "" && field !== "}") definitions.set(`${type}: ${field.replace(/[(:].*$/, "")}`, field);
	}
	return definitions;
}

/** Returns queries for the objects of each subject that select every field of the schema within a depth. */
export function queriesFor(schema: GraphQLSchema): Queries {
	const query = schema.getQueryType();
	const fields = query?.getFields() ?? {};
	const queryOf = (call: string): string[] => {
		const field = fields[call.replace(/[(].*$/, "")];
		return field ? [`{ ${call}${selectionOf(getNamedType(field.type), 0)} }`] : [];
	};
	const of = (subject: Subject) => arguments_[subject].flatMap(queryOf);
	const entries = subjects.map((subject) => [subject, of(subject)] as const);
	return Object.assign(
		{ customer: [], subscription: [], contract: [], plan: [], addon: [], feature: [], coupon: [], product: [] },
		{ environment: [] },
		Object.fromEntries(entries),
	);
}

function selectionOf(type: GraphQLNamedType, depth: number): string {
	if (!isObjectType(type)) return "";
	const selected = Object.values(type.getFields()).flatMap((field) => {
		if (hasRequiredArguments(field)) return [];
		const named = getNamedType(field.type);
		if (isLeafType(named)) return [field.name];
		// The edges of a list are not a depth of their own.
		const isList = /(Connection|Edge)$/.test(named.name);
		if (depth >= depthMax || (isList && depth > 0 && !type.name.endsWith("Connection"))) return [];
		const inner = selectionOf(named, type.name.endsWith("Connection") ? depth : depth + 1);
		return inner === "" ? [] : [`${field.name}${inner}`];
	});
	return selected.length === 0 ? "" : ` { ${selected.join(" ")} }`;
}

const hasRequiredArguments = ({ args }: GraphQLField<unknown, unknown>): boolean =>
	args.some(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);
