import { Route, Switch } from "wouter";
import { Page } from "../../kit/page";
import { Tabs } from "../../kit/tabs";
import { t as providers } from "../../messages/access/identity-providers";
import { t as ownSignIn } from "../../messages/access/own-sign-in";
import { t as people } from "../../messages/access/people";
import { t as charging } from "../../messages/charging";
import { t } from "../../messages/settings";
import { may } from "../../session";
import { ClockSettings } from "./clock";
import { Connections } from "./connections";
import { EnvironmentSettings, Environments } from "./environments";
import { ProviderPage } from "./identity-provider";
import { IdentityProviders } from "./identity-providers";
import { Keys } from "./keys";
import { LegalEntities } from "./legal-entities";
import { OwnSignIn } from "./own-sign-in";
import { People } from "./people";

export default function Settings() {
	return (
		<Page title={t.title} text={t.text}>
			<Tabs
				label={t.title}
				tabs={[
					{ name: t.environment, path: "/settings" },
					{ name: t.environments, path: "/settings/environments" },
					{ name: t.keys, path: "/settings/keys" },
					{ name: people.people, path: "/settings/people" },
					...(may("MEMBER:READ") ? [{ name: providers.title, path: "/settings/identity-providers" }] : []),
					{ name: t.entities, path: "/settings/legal-entities" },
					...(may("ENVIRONMENT:READ") ? [{ name: charging.connections, path: "/settings/provider-connections" }] : []),
					{ name: t.clock, path: "/settings/clock" },
					{ name: ownSignIn.title, path: "/settings/sign-in" },
				]}
			/>
			<Switch>
				<Route path="/settings" component={EnvironmentSettings} />
				<Route path="/settings/environments" component={Environments} />
				<Route path="/settings/keys" component={Keys} />
				<Route path="/settings/people" component={People} />
				<Route path="/settings/identity-providers" component={IdentityProviders} />
				<Route path="/settings/identity-providers/:id">{({ id }) => <ProviderPage key={id} id={id} />}</Route>
				<Route path="/settings/legal-entities" component={LegalEntities} />
				<Route path="/settings/provider-connections" component={Connections} />
				<Route path="/settings/clock" component={ClockSettings} />
				<Route path="/settings/sign-in" component={OwnSignIn} />
			</Switch>
		</Page>
	);
}
