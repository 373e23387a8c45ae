CREATE TABLE `commit_marks` (
	`id` integer PRIMARY KEY NOT NULL,
	`commits` integer NOT NULL
);
