import { inArray, isNull, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea } from "../../../graphql/area";
import { mutationsOf } from "../../../graphql/input/mutations";
import { NoBody, operation } from "../../../graphql/input/operation";
import { calculated, columns, type List } from "../../../graphql/lists/list";
import { getOwnEnvironment } from "../operations";
import { environments } from "../table";
import {
	type AssertTaxes,
	archiveOwnEnvironment,
	createOwnEnvironment,
	environmentsByIds,
	environmentsSeenBy,
	updateOwnEnvironment,
} from "./operations";
import { type Environment, EnvironmentCreate, EnvironmentUpdate, EnvironmentWithKeys } from "./schema";
import { viewEnvironment } from "./view";

const settings = `
	unknownCustomers: UnknownCustomers clientHardening: Boolean allowedOrigins: [String!] billingAnchor: BillingAnchor
	prorationMode: ProrationMode timeZone: String timeZoneSource: TimeZoneSource
	defaultCurrency: Currency governance: Boolean taxRounding: TaxRounding
	discountStacking: DiscountStacking booksClosedUntil: DateTime
`;

const schemas = { EnvironmentWithKeys };

const typeDefs = `
	enum EnvironmentType from EnvironmentWithKeys.type
	enum EnvironmentStatus from EnvironmentWithKeys.status
	enum UnknownCustomers from EnvironmentWithKeys.unknownCustomers
	enum BillingAnchor from EnvironmentWithKeys.billingAnchor
	enum TimeZoneSource from EnvironmentWithKeys.timeZoneSource
	enum ProrationMode from EnvironmentWithKeys.prorationMode
	enum TaxRounding from EnvironmentWithKeys.taxRounding
	enum DiscountStacking from EnvironmentWithKeys.discountStacking
	type Environment from EnvironmentWithKeys {
		*
		"Whether usage events of unknown customers are accepted."
		unknownCustomers
		clientHardening allowedOrigins billingAnchor prorationMode timeZone timeZoneSource defaultCurrency governance createdAt archivedAt
		"The ids of the taxes of lines to which no lower level assigns any. Null if there are none."
		taxes
		"Null for LINE."
		taxRounding
		"Null for ONE."
		discountStacking
		"No change can be dated before it. Null while the books are open."
		booksClosedUntil as DateTime
		"The secret of the full-access key. Only in the response that created the environment, and only for owners."
		fullAccessKey
		"The secret of the publishable key. Only in the response that created the environment."
		publishableKey?
	}
	input CreateEnvironmentInput { name: String! type: EnvironmentType ${settings} }
	"Omitted members stay."
	input UpdateEnvironmentInput { name: String taxes: [String!] ${settings} }
`;

const read = "ENVIRONMENT:READ";

const list: List = {
	...{ field: "environments", everyField: "allEnvironments", type: "Environment", scope: read },
	...{ source: sql`${environments}`, id: environments.id },
	within: (work) =>
		inArray(
			environments.id,
			environmentsSeenBy(work).map(({ id }) => id),
		),
	shown: () => isNull(environments.archivedAt),
	fields: {
		...columns(environments, "id name"),
		type: calculated({ enum: "EnvironmentType" }, environments.kind),
		...columns(environments, "createdAt"),
	},
	rows: (work, ids) => new Map(environmentsByIds(work, ids).map((one) => [one.id, viewEnvironment(one)])),
};

const scope = "ENVIRONMENT:WRITE";
const write = mutationsOf({ returns: "Environment", scope });

export const environmentsGraphql = (assertTaxes: AssertTaxes): GraphqlArea => ({
	schemas,
	typeDefs,
	types: {
		Environment: fieldsOf<Environment>({
			...{ scope: read, open: ["id"] },
			fields: { defaultCurrency: ({ defaultCurrency }) => defaultCurrency.toUpperCase() },
		}),
	},
	queries: {
		environment: {
			...{ signature: ": Environment!", comment: "The environment of the caller's key.", scope: read },
			resolve: (_, { work }) => viewEnvironment(getOwnEnvironment(work)),
		},
	},
	mutations: {
		createOneEnvironment: write.create(
			"CreateEnvironmentInput",
			EnvironmentCreate,
			(work, body) => {
				const { environment, ...keys } = createOwnEnvironment(work, body);
				return { ...viewEnvironment(environment), ...keys };
			},
			{ comment: "For signed-in users: an API key cannot create environments." },
		),
		updateOneEnvironment: write.create(
			"UpdateEnvironmentInput",
			EnvironmentUpdate,
			(work, body) => viewEnvironment(updateOwnEnvironment(work, body, assertTaxes)),
			{ comment: "Changes the environment of the call." },
		),
		archiveEnvironment: operation({
			...{ signature: ": Environment", scope, body: NoBody },
			comment: "Archives the environment of the call permanently. For signed-in users.",
			run: (work) => viewEnvironment(archiveOwnEnvironment(work)),
		}),
	},
	lists: [list],
});
