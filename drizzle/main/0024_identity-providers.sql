CREATE TABLE `identities` (
	`id` text PRIMARY KEY NOT NULL,
	`provider_id` text NOT NULL,
	`user_id` text NOT NULL,
	`subject` text,
	`user_name` text NOT NULL,
	`user_name_key` text NOT NULL,
	`external_id` text,
	`email` text NOT NULL,
	`given_name` text,
	`family_name` text,
	`display_name` text,
	`is_active` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`provider_id`) REFERENCES `identity_providers`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_name` ON `identities` (`provider_id`,`user_name_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `identities_subject` ON `identities` (`provider_id`,`subject`);--> statement-breakpoint
CREATE UNIQUE INDEX `identities_external` ON `identities` (`provider_id`,`external_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `identities_user` ON `identities` (`provider_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `identities_page` ON `identities` (`provider_id`,`id`);--> statement-breakpoint
CREATE INDEX `identities_email` ON `identities` (`provider_id`,`email`);--> statement-breakpoint
CREATE TABLE `identity_providers` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`issuer` text NOT NULL,
	`client_id` text NOT NULL,
	`sealed_secret` text NOT NULL,
	`domains` text NOT NULL,
	`role_mapping` text NOT NULL,
	`is_required` integer NOT NULL,
	`scim_token_hash` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identity_providers_scim_token_hash_unique` ON `identity_providers` (`scim_token_hash`);--> statement-breakpoint
CREATE INDEX `identity_providers_account` ON `identity_providers` (`account_id`,`id`);--> statement-breakpoint
CREATE TABLE `used_states` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_states_expiry` ON `used_states` (`expires_at`);--> statement-breakpoint
CREATE TABLE `scim_group_members` (
	`group_id` text NOT NULL,
	`identity_id` text NOT NULL,
	PRIMARY KEY(`group_id`, `identity_id`),
	FOREIGN KEY (`group_id`) REFERENCES `scim_groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`identity_id`) REFERENCES `identities`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `scim_group_members_of` ON `scim_group_members` (`identity_id`);--> statement-breakpoint
CREATE TABLE `scim_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`provider_id` text NOT NULL,
	`display_name` text NOT NULL,
	`external_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`provider_id`) REFERENCES `identity_providers`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_groups_name` ON `scim_groups` (`provider_id`,`display_name`);--> statement-breakpoint
CREATE INDEX `scim_groups_external` ON `scim_groups` (`provider_id`,`external_id`);--> statement-breakpoint
CREATE INDEX `scim_groups_page` ON `scim_groups` (`provider_id`,`id`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `provider_id` text;