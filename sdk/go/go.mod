module github.com/stile/stile/sdk/go

go 1.19
