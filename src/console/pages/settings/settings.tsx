import { Route, Switch } from "wouter";
import { Page } from "../../kit/page";
import { Tabs } from "../../kit/tabs";
import { t as people } from "../../messages/people";
import { t } from "../../messages/settings";
import { ClockSettings } from "./clock";
import { EnvironmentSettings } from "./environment";
import { Environments } from "./environments";
import { Keys } from "./keys";
import { LegalEntities } from "./legal-entities";
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
					{ name: t.entities, path: "/settings/legal-entities" },
					{ name: t.clock, path: "/settings/clock" },
				]}
			/>
			<Switch>
				<Route path="/settings" component={EnvironmentSettings} />
				<Route path="/settings/environments" component={Environments} />
				<Route path="/settings/keys" component={Keys} />
				<Route path="/settings/people" component={People} />
				<Route path="/settings/legal-entities" component={LegalEntities} />
				<Route path="/settings/clock" component={ClockSettings} />
			</Switch>
		</Page>
	);
}
