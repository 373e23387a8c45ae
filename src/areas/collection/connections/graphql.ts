import { fieldsOf, type GraphqlArea, textOf } from "../../../graphql/area";
import { mutationsOf } from "../../../graphql/input/mutations";
import { columns, statusUntilArchived, tableList } from "../../../graphql/lists/list";
import { checker } from "../../../http/validation";
import { archiveConnection, connectionsByIds, getConnection } from "./operations";
import { ConnectionCreate, ConnectionPath, ConnectionUpdate, ProviderConnection } from "./schema";
import { providerConnections } from "./table";
import { createConnection, updateConnection } from "./verify";
import { viewConnection } from "./view";

const schemas = { ProviderConnection, ConnectionCreate, ConnectionUpdate };

const typeDefs = `
	enum ProviderConnectionStatus from ProviderConnection.status
	enum ProviderKind from ProviderConnection.kind
	enum ProviderConnectionMode from ProviderConnection.mode
	"An account at a payment provider. It never shows a secret."
	type ProviderConnection from ProviderConnection {
		id kind as ProviderKind name mode as ProviderConnectionMode account legalEntityId
		status as ProviderConnectionStatus eventsPath hasWebhookSecret formerWebhookSecretUntil createdAt updatedAt
	}
	input CreateProviderConnectionInput from ConnectionCreate {
		kind as ProviderKind name mode as ProviderConnectionMode secretKey webhookSecret legalEntityId baseUrl
	}
	"Omitted members stay."
	input UpdateProviderConnectionInput from ConnectionUpdate { id: ID! * }
	input ProviderConnectionIdInput { id: ID! }
`;

const scope = "ENVIRONMENT:READ";
const writeScope = "ENVIRONMENT:WRITE";

const list = tableList(providerConnections, {
	...{ field: "providerConnections", type: "ProviderConnection", scope },
	fields: {
		...columns(providerConnections, "id name"),
		status: statusUntilArchived("ProviderConnectionStatus", "ACTIVE", providerConnections.archivedAt),
		...columns(providerConnections, "createdAt updatedAt"),
	},
	rows: (work, ids) => new Map([...connectionsByIds(work, ids)].map(([id, row]) => [id, viewConnection(row)])),
});

const write = mutationsOf({
	...{ returns: "ProviderConnection", scope: writeScope, path: { id: "id" }, params: ConnectionPath.properties },
	input: "ProviderConnectionIdInput",
});

const readCreate = checker("body", ConnectionCreate);
const readUpdate = checker("body", ConnectionUpdate);
const sentOf = ({ input }: Readonly<Record<string, unknown>>) => ({ ...(input as Record<string, unknown>) });

export const connectionsGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { ProviderConnection: fieldsOf<ProviderConnection>({ scope, open: ["id"], fields: {} }) },
	queries: {
		providerConnection: {
			...{ signature: "(id: ID!): ProviderConnection", scope },
			resolve: (args, { work }) => viewConnection(getConnection(work, textOf(args, "id") ?? "")),
		},
	},
	mutations: {
		createProviderConnection: {
			...{ signature: "(input: CreateProviderConnectionInput!): ProviderConnection", scope: writeScope },
			comment: "Verifies the credentials at the provider first.",
			perform: (args, actor, services) =>
				createConnection(services, actor, { operation: "createProviderConnection" }, readCreate(sentOf(args))),
		},
		updateProviderConnection: {
			...{ signature: "(input: UpdateProviderConnectionInput!): ProviderConnection", scope: writeScope },
			comment: "Verifies a new secretKey at the provider first.",
			perform: (args, actor, services) => {
				const { id, ...body } = sentOf(args);
				return updateConnection(services, actor, { operation: "updateProviderConnection" }, `${id}`, readUpdate(body));
			},
		},
		archiveProviderConnection: write.act((work, id) => viewConnection(archiveConnection(work, id))),
	},
	lists: [list],
};
