// Exits with 42 if the module named on the command line has a `template` that works, with anything else otherwise.
'use strict';
const _ = require(process.argv[2]);
const people = _.template('<% _.each(people, function (name) { %><li><%- name %></li><% }); %> <%= people.length %>');
const rendered = people({ _: _, people: ['Ann & Bob', "O'Hara"] });
process.exit(rendered === '<li>Ann &amp; Bob</li><li>O&#x27;Hara</li> 2' ? 42 : 1);
